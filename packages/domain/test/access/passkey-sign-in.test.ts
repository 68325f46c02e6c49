import { expect } from 'chai';
import { abroad, codeOf, from, home, PASSWORD } from './access-fixture.js';
import { PasskeyFixture, tally, itWithPasskeys as test } from './passkey-fixture.js';
import { Deferred } from '../fixtures/deferred.js';
import { rejectionOf } from '../fixtures/throws.js';

describe('signing in with a passkey', () => {
  test('begins a session of its user, without a name', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    const { secret, principal } = await fixture.use(device);
    expect(principal).to.include({ name: 'bob', role: 'viewer' });
    expect(fixture.access.credentials.authenticate('session', secret)).to.deep.equal(principal);
    const [passkey] = fixture.access.passkeys.list(principal);
    expect(fixture.notes.at(-1)).to.deep.equal({
      ...{ actor: 'bob', action: 'signed-in' },
      details: { transport: 'http', address: home.address, passkey: passkey?.id },
    });
    expect(passkey?.lastUsed).to.be.a('number');
  });

  test('is offered only if somebody has a passkey', async (fixture) => {
    const { passkeySignIn } = fixture.access;
    expect(passkeySignIn.isReadyAt(tally)).to.equal(false);
    await rejectionOf('PASSKEYS_UNAVAILABLE', passkeySignIn.challenge(tally));
    await fixture.add(await fixture.signIn('bob'), 'phone');
    const elsewhere = { origin: 'https://other.example', host: 'other.example' };
    expect([tally, elsewhere, undefined].map((place) => passkeySignIn.isReadyAt(place))).to.deep.equal([
      true,
      false,
      false,
    ]);
    for (const place of [elsewhere, undefined]) {
      await rejectionOf('PASSKEYS_UNAVAILABLE', passkeySignIn.challenge(place));
      await rejectionOf('PASSKEYS_UNAVAILABLE', passkeySignIn.signIn({ id: 'a' }, place, home));
    }
    expect(fixture.verifier.asked).to.deep.equal([]);
  });

  test('is missing without a verifier of passkeys', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    await using without = await PasskeyFixture.on(fixture.contents, false);
    expect(without.access.passkeySignIn.isReadyAt(tally)).to.equal(false);
    await rejectionOf('PASSKEYS_UNAVAILABLE', without.use(device));
  });

  test('accepts a challenge once, for all answers', async (fixture) => {
    const phone = await fixture.add(await fixture.signIn('bob'), 'phone');
    const key = await fixture.add(await fixture.signIn('ada'), 'key');
    const { challenge } = await fixture.access.passkeySignIn.challenge(tally);
    await fixture.use(phone, { challenge });
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(key, { challenge }));
  });

  test('accepts a challenge for five minutes', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    const { challenge: late } = await fixture.access.passkeySignIn.challenge(tally);
    fixture.clock.advance(299_000);
    const { challenge } = await fixture.access.passkeySignIn.challenge(tally);
    fixture.clock.advance(1_000);
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(device, { challenge: late }));
    await fixture.use(device, { challenge });
  });

  test('refuses a challenge that is invented, changed, or was given for another purpose', async (fixture) => {
    const bob = await fixture.signIn('bob');
    const device = await fixture.add(bob, 'phone');
    const { challenge } = await fixture.access.passkeySignIn.challenge(tally);
    const proof = { password: PASSWORD, address: home.address };
    const adding = await fixture.access.passkeys.request(bob, proof, tally);
    const later = `zzzzzzzz${challenge.slice(8)}`;
    const another = `${challenge.slice(0, 8)}${'A'.repeat(32)}${challenge.slice(40)}`;
    for (const made of ['', 'A'.repeat(104), later, another, `${challenge}A`, adding.challenge]) {
      expect(await codeOf(fixture.use(device, { challenge: made })), made).to.equal('SIGN_IN_REFUSED');
      fixture.clock.advance(70_000);
    }
  });

  test('refuses an unknown passkey like a wrong signature, after the same work', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    const messages: string[] = [];
    for (const changed of [{ id: 'unknown' }, { key: 'another' }]) {
      await fixture.use(device, changed).catch((error: unknown) => messages.push((error as Error).message));
    }
    expect(new Set(messages).size).to.equal(1);
    expect(fixture.verifier.asked).to.deep.equal([undefined, 'key of phone']);
    expect(fixture.notes.slice(-2)).to.deep.equal([
      {
        ...{ actor: 'anyone', action: 'sign-in-refused' },
        details: { attempts: 1, isKnown: false, address: home.address, passkey: true },
      },
      {
        ...{ actor: 'bob', action: 'sign-in-refused' },
        details: { attempts: 1, isKnown: true, address: home.address, passkey: true },
      },
    ]);
  });

  test('refuses an answer for another user, and one that names no user', async (fixture) => {
    const phone = await fixture.add(await fixture.signIn('bob'), 'phone');
    const { response } = await fixture.add(await fixture.signIn('ada'), 'key');
    for (const other of [response, {}]) {
      await rejectionOf('SIGN_IN_REFUSED', fixture.use(phone, { response: other }));
    }
  });

  test('refuses a passkey of another host', async (fixture) => {
    const bob = await fixture.signIn('bob');
    const other = { origin: 'https://other.example', host: 'other.example' };
    await fixture.add(bob, 'phone');
    const elsewhere = await fixture.add(bob, 'key', { place: other });
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(elsewhere, { place: tally }));
    await fixture.use(elsewhere, {}, other);
  });

  test('refuses a device whose counter is behind, because it may be a copy, and notes that in the audit trail each time', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'key', { counter: 5 });
    await fixture.use(device, { counter: 7 });
    for (const counter of [7, 6, 0]) {
      await rejectionOf('SIGN_IN_REFUSED', fixture.use(device, { counter }));
      expect(fixture.notes.at(-1)?.details).to.include({ counter: true });
    }
    fixture.clock.advance(60_000);
    await fixture.use(device, { counter: 8 });
  });

  test('is slowed down like passwords, and locks nobody out elsewhere', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    const { challenge } = await fixture.access.passkeySignIn.challenge(tally);
    const guess = (): Promise<string> =>
      codeOf(fixture.access.passkeySignIn.signIn({ ...device, challenge, key: 'another' }, tally, abroad));
    const codes = [await guess(), await guess(), await guess(), await guess()];
    expect(codes).to.deep.equal([...Array<string>(3).fill('SIGN_IN_REFUSED'), 'SIGN_IN_TOO_SOON']);
    fixture.clock.advance(1_000);
    expect(await guess()).to.equal('SIGN_IN_REFUSED');
    fixture.clock.advance(60_000);
    await fixture.use(device);
    expect(await guess()).to.equal('SIGN_IN_REFUSED');
    await fixture.use(device);
  });

  test('is limited to 20 at the same time: the next attempt must wait', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    const held = new Deferred<void>();
    fixture.verifier.before = () => held.promise;
    const { challenge } = await fixture.access.passkeySignIn.challenge(tally);
    const answers = Array.from({ length: 20 }, (_, n) =>
      codeOf(
        fixture.access.passkeySignIn.signIn(
          { ...device, challenge, id: `x${n}` },
          tally,
          from(`192.168.1.${n}`),
        ),
      ),
    );
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(fixture.verifier.asked).to.have.length(20);
    const error: unknown = await fixture.use(device).catch((cause: unknown) => cause);
    expect(error).to.deep.include({ code: 'SIGN_IN_TOO_SOON', details: { retryAfterSeconds: 2 } });
    held.resolve();
    expect(new Set(await Promise.all(answers))).to.deep.equal(new Set(['SIGN_IN_REFUSED']));
    await fixture.use(device);
  });

  test('writes nothing for strangers, for any number of challenges and answers', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    const { writes } = fixture;
    for (let time = 0; time < 50; time++) await fixture.access.passkeySignIn.challenge(tally);
    for (let time = 0; time < 5; time++) {
      await codeOf(fixture.use(device, { key: 'another' }));
      fixture.clock.advance(60_000);
      await codeOf(fixture.use(device, { id: `x${time}` }));
    }
    expect(fixture.writes).to.equal(writes);
  });

  test('forgets answered challenges when no server accepts them any more, and keeps at most 50 until then', async (fixture) => {
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    for (let time = 0; time < 49; time++) await fixture.use(device);
    const error: unknown = await fixture.use(device).catch((cause: unknown) => cause);
    expect(error).to.deep.include({ code: 'SIGN_IN_TOO_SOON', details: { retryAfterSeconds: 300 } });
    fixture.clock.advance(361_000);
    await fixture.use(device);
    const { users } = await fixture.store.read();
    expect(users.find(({ name }) => name === 'bob')?.passkeys?.spent).to.have.length(1);
  });

  test('has a clear message if the answer is missing', async (fixture) => {
    await fixture.add(await fixture.signIn('bob'), 'phone');
    for (const answer of [
      undefined,
      null,
      7,
      [],
      {},
      { id: 7 },
      { id: '' },
      { id: 'A'.repeat(1_365) },
      { id: 'a b' },
    ]) {
      const code = await codeOf(fixture.access.passkeySignIn.signIn(answer, tally, home));
      expect(code, JSON.stringify(answer)).to.equal('INVALID_PASSKEY');
    }
  });

  test('ends when the password or the user is removed', async (fixture) => {
    const ada = await fixture.signIn('ada');
    const device = await fixture.add(await fixture.signIn('bob'), 'phone');
    await fixture.add(ada, 'key');
    const bob = fixture.contents.users.get('bob');
    if (bob !== undefined) await fixture.store.change({ putUsers: [{ ...bob, password: undefined }] });
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(device));
    await fixture.access.users.remove(ada, 'bob');
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(device));
    await fixture.access.users.put(ada, { name: 'bob', password: PASSWORD });
    await rejectionOf('SIGN_IN_REFUSED', fixture.use(device));
  });
});

describe('signing in with a passkey, with another server on the same store', () => {
  it('accepts at one server an answer to a challenge of the other one, once', async () => {
    await using one = await PasskeyFixture.withUsers();
    await using other = await PasskeyFixture.on(one.contents);
    const device = await one.add(await one.signIn('bob'), 'phone');
    const { challenge } = await one.access.passkeySignIn.challenge(tally);
    await other.use(device, { challenge });
    await rejectionOf('SIGN_IN_REFUSED', one.use(device, { challenge }));
  });

  it('accepts one of two answers that reach both servers at the same time', async () => {
    await using one = await PasskeyFixture.withUsers();
    await using other = await PasskeyFixture.on(one.contents);
    const device = await one.add(await one.signIn('bob'), 'phone');
    const { challenge } = await one.access.passkeySignIn.challenge(tally);
    const codes = await Promise.all([one, other].map((server) => codeOf(server.use(device, { challenge }))));
    expect(codes).to.have.members(['none', 'SIGN_IN_REFUSED']);
  });

  it('knows at once that the other server has removed a passkey', async () => {
    await using one = await PasskeyFixture.withUsers();
    await using other = await PasskeyFixture.on(one.contents);
    const bob = await one.signIn('bob');
    const phone = await one.add(bob, 'phone');
    await one.add(bob, 'key');
    const [passkey] = one.access.passkeys.list(bob);
    const { challenge } = await other.access.passkeySignIn.challenge(tally);
    expect(await one.access.passkeys.remove(bob, passkey?.id ?? '')).to.equal(true);
    await rejectionOf('SIGN_IN_REFUSED', other.use(phone, { challenge }));
  });
});
