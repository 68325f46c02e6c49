import { isTallybookError, TallybookError } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import { AccessFixture, home, PASSWORD, itWithViewer, itClaimed as test } from './access-fixture.js';
import { PasskeyFixture, tally } from './passkey-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

/** Makes every write fail, as on a full disk. Returns a function that frees the disk. */
function fill({ store }: Pick<AccessFixture, 'store'>): () => void {
  const change = store.change.bind(store);
  store.change = () => Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'no space left'));
  return () => (store.change = change);
}

describe('signing in on a full disk', () => {
  test('gives a session, which ends with the process', async (fixture) => {
    const { access } = fixture;
    const free = fill(fixture);
    const { secret, principal } = await access.passwords.signIn('ada', PASSWORD, home);
    expect(access.credentials.authenticate('session', secret)).to.deep.equal(principal);
    expect(fixture.faults.some((error) => isTallybookError(error, 'STORE_WRITE_FAILED'))).to.equal(true);
    free();
    await access.close();
    await access.open();
    expect(access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  it('works with a passkey, at the provider, and with a password that is to be hashed again', async () => {
    await using passkeys = await PasskeyFixture.withUsers();
    const device = await passkeys.add(await passkeys.signIn('bob'), 'phone');
    fill(passkeys);
    const { secret } = await passkeys.use(device, {}, tally);
    expect(passkeys.access.credentials.authenticate('session', secret)?.name).to.equal('bob');

    const provider = new ScriptedIdentityProvider([{ subject: 's1', name: 'eve', groups: ['staff'] }]);
    const rules = { identityRules: { groupRoles: { staff: 'viewer' } } } as const;
    await using fixture = await AccessFixture.open(rules, provider);
    const { access } = fixture;
    await access.users.put(owner, { name: 'ada', password: PASSWORD });
    const enter = async (): Promise<string> => {
      const { url, ticket } = await access.provider.begin();
      return (await access.provider.finish(ticket, provider.answer(url, 's1'), home)).principal.name;
    };
    await enter();
    fill(fixture);
    expect(await enter()).to.equal('eve');
    const check = fixture.secrets.check.bind(fixture.secrets);
    fixture.secrets.check = async (...given) => ({
      ...(await check(...given)),
      rehashed: '$scrypt$stronger',
    });
    expect((await access.passwords.signIn('ada', PASSWORD, home)).principal.name).to.equal('ada');
  });

  it('gives a session that stays when the store is read again, but ends with the password or the user', async () => {
    await using fixture = await AccessFixture.claimed('desk', 'viewer');
    const { access } = fixture;
    await using other = await fixture.another();
    const free = fill(fixture);
    const sessions = [];
    for (const name of ['ada', 'desk', 'viewer']) {
      sessions.push((await access.passwords.signIn(name, PASSWORD, home)).secret);
    }
    free();
    await other.users.put(owner, { name: 'desk', password: 'another horse battery' });
    await other.users.remove(owner, 'viewer');
    await access.refresh();
    const names = sessions.map((secret) => access.credentials.authenticate('session', secret)?.name);
    expect(names).to.deep.equal(['ada', undefined, undefined]);
  });

  itWithViewer('gives a session that can be signed out before the disk is freed', async (fixture) => {
    const { access } = fixture;
    const free = fill(fixture);
    const { secret, principal } = await access.passwords.signIn('ada', PASSWORD, home);
    await access.credentials.signOut(principal);
    expect(access.credentials.authenticate('session', secret)).to.equal(undefined);
    free();
    await using other = await fixture.another();
    await other.users.remove(owner, 'viewer');
    await access.refresh();
    expect(access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  test('is refused if the store is damaged', async (fixture) => {
    fixture.store.change = () => Promise.reject(new TallybookError('STORE_CORRUPT', 'damaged'));
    await rejectionOf('STORE_CORRUPT', fixture.access.passwords.signIn('ada', PASSWORD, home));
  });
});
