import { owner, type Principal } from '@tallybook/domain/access';
import { expect } from 'chai';
import { codeOf, home, PASSWORD } from './access-fixture.js';
import { PasskeyFixture, tally, itWithPasskeys as test } from './passkey-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

const proof = { password: PASSWORD, address: home.address };

describe('adding a passkey', () => {
  test('gives the browser its options, and shows the passkey in the list', async (fixture) => {
    const bob = await fixture.signIn('bob');
    const asked = await fixture.access.passkeys.request(bob, proof, tally);
    expect(asked).to.include({ user: 'bob', host: 'tally.example', seconds: 300 });
    expect(asked.challenge).to.match(/^[\w-]{104}$/);
    expect(asked.handle).to.match(/^[\w-]{43}$/);
    expect(asked).to.deep.include({ algorithms: [-7], present: [] });
    await fixture.add(bob, 'phone');
    const again = await fixture.access.passkeys.request(bob, proof, tally);
    expect(again).to.deep.include({ handle: asked.handle, present: ['phone'] });
    const [passkey] = fixture.access.passkeys.list(bob);
    expect(passkey).to.deep.include({
      ...{ user: 'bob', host: 'tally.example', label: 'phone', isSynced: true, lastUsed: undefined },
      createdAt: fixture.access.now(),
    });
    expect(fixture.notes.at(-1)).to.deep.equal({
      ...{ actor: 'bob', action: 'passkey-added' },
      details: { id: passkey?.id, label: 'phone', host: 'tally.example' },
    });
  });

  test('needs the password, so that a session alone is not enough, and is slowed down', async (fixture) => {
    const bob = await fixture.signIn('bob');
    const ask = (password: unknown): Promise<string> =>
      codeOf(fixture.access.passkeys.request(bob, { ...proof, password }, tally));
    expect([await ask('wrong'), await ask(undefined), await ask(7), await ask(PASSWORD)]).to.deep.equal([
      ...Array<string>(3).fill('SIGN_IN_REFUSED'),
      'SIGN_IN_TOO_SOON',
    ]);
  });

  test('is refused to a principal that is no user, and to a user without a password', async (fixture) => {
    const ada = await fixture.signIn('ada');
    await fixture.access.users.put(owner, { name: 'carl', role: 'admin' });
    const { token } = await fixture.access.credentials.createToken(ada, { label: 'wall', role: 'admin' });
    const program = fixture.access.credentials.authenticate('token', token);
    for (const by of [owner, program, fixture.access.users.principalOf('carl')]) {
      await rejectionOf('NOT_ALLOWED', fixture.access.passkeys.request(by ?? ada, proof, tally));
    }
    await rejectionOf('NOT_ALLOWED', fixture.access.passkeys.add(owner, { label: 'a', answer: {} }, tally));
  });

  test('is refused where browsers have no passkeys', async (fixture) => {
    const bob = await fixture.signIn('bob');
    const { passkeys } = fixture.access;
    await rejectionOf('PASSKEYS_UNAVAILABLE', passkeys.request(bob, proof, undefined));
    await rejectionOf('PASSKEYS_UNAVAILABLE', passkeys.add(bob, { label: 'a', answer: {} }, undefined));
  });

  test('accepts an answer once, from the session that asked, within five minutes', async (fixture) => {
    const [bob, elsewhere, ada] = [
      await fixture.signIn('bob'),
      await fixture.signIn('bob'),
      await fixture.signIn('ada'),
    ];
    const { challenge, handle } = await fixture.access.passkeys.request(bob, proof, tally);
    await fixture.access.passkeys.request(ada, proof, tally);
    const answer = {
      ...{ kind: 'made', challenge, place: tally, key: 'k', counter: 0, isVerified: true, isSynced: true },
      response: { userHandle: handle },
    };
    const add = (by: Principal, id: string): Promise<string> =>
      codeOf(fixture.access.passkeys.add(by, { label: 'phone', answer: { ...answer, id } }, tally));
    expect([await add(elsewhere, 'a'), await add(ada, 'b')]).to.deep.equal([
      'INVALID_PASSKEY',
      'INVALID_PASSKEY',
    ]);
    expect([await add(bob, 'c'), await add(bob, 'd')]).to.deep.equal(['none', 'INVALID_PASSKEY']);
    const late = await fixture.access.passkeys.request(bob, proof, tally);
    fixture.clock.advance(300_000);
    const given = { ...answer, challenge: late.challenge, id: 'e' };
    await rejectionOf(
      'INVALID_PASSKEY',
      fixture.access.passkeys.add(bob, { label: 'late', answer: given }, tally),
    );
  });

  test('refuses a known passkey, also one of another user', async (fixture) => {
    await fixture.add(await fixture.signIn('bob'), 'phone');
    await rejectionOf('INVALID_PASSKEY', fixture.add(await fixture.signIn('ada'), 'phone'));
  });

  test('refuses a label that is not one line, an invalid answer, and an impossible id', async (fixture) => {
    const bob = await fixture.signIn('bob');
    for (const label of [undefined, '', ' ', 'a\nb', 'a'.repeat(101), 7]) {
      const code = await codeOf(fixture.access.passkeys.add(bob, { label, answer: {} }, tally));
      expect(code, JSON.stringify(label)).to.equal('INVALID_PASSKEY');
    }
    for (const answer of [undefined, null, 'a', []]) {
      const code = await codeOf(fixture.access.passkeys.add(bob, { label: 'a', answer }, tally));
      expect(code, JSON.stringify(answer)).to.equal('INVALID_PASSKEY');
    }
    await rejectionOf('INVALID_PASSKEY', fixture.add(bob, 'A'.repeat(1_365)));
  });

  test('is limited to 20 for one user, also for two at the same time', async (fixture) => {
    const bob = await fixture.signIn('bob');
    for (let n = 0; n < 19; n++) await fixture.add(bob, `key-${n}`);
    const codes = await Promise.all(['a', 'b'].map((id) => codeOf(fixture.add(bob, id))));
    expect(codes).to.have.members(['none', 'ACCESS_LIMIT_REACHED']);
    await rejectionOf('ACCESS_LIMIT_REACHED', fixture.access.passkeys.request(bob, proof, tally));
    await fixture.add(await fixture.signIn('ada'), 'c');
  });
});

describe('passkeys', () => {
  test('are shown to their user, and to a manager of access', async (fixture) => {
    const [ada, bob] = [await fixture.signIn('ada'), await fixture.signIn('bob')];
    await fixture.add(bob, 'phone');
    await fixture.add(ada, 'key');
    const labels = (by: Principal, all: boolean): readonly string[] =>
      fixture.access.passkeys.list(by, { all }).map(({ label }) => label);
    expect([labels(bob, false), labels(bob, true)]).to.deep.equal([['phone'], ['phone']]);
    expect([labels(ada, false), labels(ada, true)]).to.deep.equal([['key'], ['key', 'phone']]);
    const shown = JSON.stringify(fixture.access.passkeys.list(ada, { all: true }));
    const { users, secret = '' } = await fixture.store.read();
    expect(secret).to.have.length(43);
    for (const { passkeys } of users) expect(shown).not.to.include(passkeys?.handle);
    expect(shown).not.to.include(secret);
    expect(JSON.stringify(fixture.access.users.list())).not.to.include(secret).and.not.include('handle');
  });

  test('are removed by their user, whose other sessions end, or by a manager of access', async (fixture) => {
    const bob = await fixture.signIn('bob');
    const phone = await fixture.add(bob, 'phone');
    await fixture.add(bob, 'key');
    const { secret } = await fixture.use(phone);
    const [first, second] = fixture.access.passkeys.list(bob);
    expect(await fixture.access.passkeys.remove(bob, first?.id ?? '')).to.equal(true);
    expect(fixture.access.credentials.authenticate('session', secret)).to.equal(undefined);
    expect(fixture.access.credentials.list(bob).map(({ id }) => id)).to.deep.equal([bob.credential]);
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(phone));
    expect(fixture.notes.find(({ action }) => action === 'passkey-removed')).to.deep.equal({
      ...{ actor: 'bob', action: 'passkey-removed' },
      details: { id: first?.id, label: 'phone', user: 'bob' },
    });
    const ada = await fixture.signIn('ada');
    expect(await fixture.access.passkeys.remove(ada, second?.id ?? '')).to.equal(true);
    expect(fixture.access.credentials.list(bob)).to.deep.equal([]);
    expect(fixture.access.passkeys.list(ada, { all: true })).to.deep.equal([]);
  });

  test('are not removed by others', async (fixture) => {
    await fixture.add(await fixture.signIn('ada'), 'key');
    const [passkey] = fixture.access.passkeys.list(owner, { all: true });
    expect(await fixture.access.passkeys.remove(await fixture.signIn('bob'), passkey?.id ?? '')).to.equal(
      false,
    );
    expect(await fixture.access.passkeys.remove(owner, 'unknown')).to.equal(false);
  });

  it('survive a restart, a new role and a new password', async () => {
    let device;
    let contents;
    {
      await using fixture = await PasskeyFixture.withUsers();
      ({ contents } = fixture);
      const bob = await fixture.signIn('bob');
      device = await fixture.add(bob, 'phone');
      const password = 'tortoise with a lamp';
      await fixture.access.passwords.change(bob, { current: PASSWORD, password, address: home.address });
      await fixture.access.users.put(owner, { name: 'bob', role: 'desk' });
      await fixture.access.users.put(owner, { name: 'bob', password: PASSWORD });
    }
    await using after = await PasskeyFixture.on(contents);
    expect((await after.use(device)).principal).to.include({ name: 'bob', role: 'desk' });
  });

  it('are not restored by a change of the password during a removal', async () => {
    await using one = await PasskeyFixture.withUsers();
    await using other = await PasskeyFixture.on(one.contents);
    const bob = await one.signIn('bob');
    await one.add(bob, 'phone');
    await other.access.refresh();
    const [passkey] = one.access.passkeys.list(bob);
    const password = 'tortoise with a lamp';
    const changing = other.access.passwords.change(bob, {
      current: PASSWORD,
      password,
      address: home.address,
    });
    await one.access.passkeys.remove(bob, passkey?.id ?? '');
    await changing;
    await one.access.refresh();
    expect(one.access.passkeys.list(bob)).to.deep.equal([]);
  });
});
