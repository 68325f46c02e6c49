import { owner, type AccessOptions } from '@tallybook/domain/access';
import { expect } from 'chai';
import { AccessFixture, codeOf, DAY_MS, home, PASSWORD } from './access-fixture.js';
import { testOn } from '../fixtures/test-on.js';
import { rejectionOf } from '../fixtures/throws.js';

const NEW_PASSWORD = 'tortoise with a lamp';

/** Two servers, each with a store object of its own over the shared data. */
async function twoServers(
  options: AccessOptions = {},
): Promise<AsyncDisposable & { one: AccessFixture; other: AccessFixture }> {
  const one = await AccessFixture.open(options);
  const other = await AccessFixture.open(options, undefined, one.contents);
  return {
    ...{ one, other },
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

const test = testOn(() => twoServers());

describe('AccessService, with another server on the same store', () => {
  test('reads nothing at a check if nothing was written', async ({ one }) => {
    await one.access.users.put(owner, { name: 'ada', password: PASSWORD });
    let reads = 0;
    const read = one.store.read.bind(one.store);
    one.store.read = () => {
      reads++;
      return read();
    };
    await Promise.all([one.access.refresh(), one.access.refresh()]);
    expect(reads).to.equal(0);
  });

  it('forgets by itself a session that the other server has ended, and reports that', async () => {
    await using pair = await twoServers({ lookMs: 250 });
    const { one, other } = pair;
    await one.access.users.put(owner, { name: 'ada', password: PASSWORD });
    const { secret, principal } = await one.access.passwords.signIn('ada', PASSWORD, home);
    await other.access.refresh();
    let changes = 0;
    other.access.changes.subscribe(() => changes++);
    await one.access.credentials.signOut(principal);
    other.clock.advance(250);
    await other.settle();
    expect(other.access.credentials.authenticate('session', secret)).to.equal(undefined);
    expect(changes).to.equal(1);
  });

  test('signs in a user whom the other server has just added, with the present password', async (pair) => {
    const { one, other } = pair;
    await one.access.users.put(owner, { name: 'ada', password: PASSWORD });
    const { principal } = await other.access.passwords.signIn('ada', PASSWORD, home);
    expect(principal.role).to.equal('admin');
    await one.access.users.put(owner, { name: 'ada', password: NEW_PASSWORD });
    await rejectionOf('SIGN_IN_REFUSED', other.access.passwords.signIn('ada', PASSWORD, home));
    expect((await other.access.passwords.signIn('ada', NEW_PASSWORD, home)).principal.name).to.equal('ada');
  });

  test('restores no old password when it changes the role of a user', async ({ one, other }) => {
    await one.access.users.put(owner, { name: 'ada', password: PASSWORD });
    await one.access.users.put(owner, { name: 'bob', role: 'desk', password: PASSWORD });
    await other.access.refresh();
    await one.access.users.put(owner, { name: 'bob', password: NEW_PASSWORD });
    await other.access.users.put(owner, { name: 'bob', role: 'viewer' });
    await rejectionOf('SIGN_IN_REFUSED', one.access.passwords.signIn('bob', PASSWORD, home));
    expect((await one.access.passwords.signIn('bob', NEW_PASSWORD, home)).principal.role).to.equal('viewer');
  });

  test('restores no ended session when it notes its use', async ({ one, other }) => {
    await one.access.users.put(owner, { name: 'ada', password: PASSWORD });
    const { secret, principal } = await one.access.passwords.signIn('ada', PASSWORD, home);
    await other.access.refresh();
    other.clock.advance(DAY_MS);
    await other.settle();
    other.access.credentials.authenticate('session', secret);
    await one.access.credentials.signOut(principal);
    other.clock.advance(60_000);
    await other.settle();
    expect((await one.store.read()).credentials).to.deep.equal([]);
  });

  it('leaves an admin when each removes one of two at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      await using pair = await twoServers();
      const { one, other } = pair;
      for (const name of ['ada', 'bob']) {
        await one.access.users.put(owner, { name, role: 'admin', password: PASSWORD });
      }
      const codes = await Promise.all([
        codeOf(one.access.users.remove(owner, 'ada')),
        codeOf(other.access.users.put(owner, { name: 'bob', role: 'viewer' })),
      ]);
      expect(codes.sort()).to.deep.equal(['LAST_ADMIN', 'none']);
      expect((await one.store.read()).users.filter(({ role }) => role === 'admin')).to.have.length(1);
    }
  });

  it('lets only one of two add a new user of a name at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      await using pair = await twoServers();
      const { one, other } = pair;
      await one.access.users.put(owner, { name: 'ada', password: PASSWORD });
      await other.access.refresh();
      const outcomes = await Promise.all(
        [one, other].map(({ access }, n) =>
          codeOf(
            access.users.put(owner, {
              name: 'bob',
              isNew: true,
              password: n === 0 ? PASSWORD : NEW_PASSWORD,
            }),
          ),
        ),
      );
      expect([...outcomes].sort()).to.deep.equal(['USER_EXISTS', 'none']);
      const [kept, lost] = outcomes[0] === 'none' ? [PASSWORD, NEW_PASSWORD] : [NEW_PASSWORD, PASSWORD];
      await one.access.passwords.signIn('bob', kept, home);
      await rejectionOf('SIGN_IN_REFUSED', one.access.passwords.signIn('bob', lost, home));
    }
  });

  it('lets only one of two claim the service at the same time', async () => {
    await using pair = await twoServers({ requiresClaim: true });
    const { one, other } = pair;
    const codes = await Promise.all([
      codeOf(one.access.setup.claim(one.access.setup.code, { name: 'ada', password: PASSWORD }, home)),
      codeOf(other.access.setup.claim(other.access.setup.code, { name: 'bob', password: PASSWORD }, home)),
    ]);
    expect(codes.sort()).to.deep.equal(['ALREADY_CLAIMED', 'none']);
    await Promise.all([one.access.refresh(), other.access.refresh()]);
    expect([one.access.state, other.access.state]).to.deep.equal(['claimed', 'claimed']);
    expect(one.access.users.list()).to.have.length(1);
  });

  test('gives up after some attempts if others always write first', async ({ one, other }) => {
    const read = one.store.read.bind(one.store);
    one.store.read = async () => {
      const record = await read();
      await other.store.change({ putUsers: [] });
      return record;
    };
    await other.access.users.put(owner, { name: 'ada', password: PASSWORD });
    const adding = one.access.users.put(owner, { name: 'bob', password: PASSWORD });
    await rejectionOf('STORE_WRITE_FAILED', adding);
  });
});
