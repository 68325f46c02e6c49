import { isTallybookError } from '@tallybook/domain';
import { owner, type SignedIn } from '@tallybook/domain/access';
import { expect } from 'chai';
import {
  abroad,
  AccessFixture,
  codeOf,
  DAY_MS,
  from,
  home,
  PASSWORD,
  secureHome,
  itWithViewer,
  itClaimed as test,
} from './access-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

/** Seconds until the next allowed attempt; 0 if this attempt was checked. */
async function secondsToWait(attempt: Promise<unknown>): Promise<number> {
  try {
    await attempt;
  } catch (error) {
    if (isTallybookError(error, 'SIGN_IN_TOO_SOON')) return Number(error.details['retryAfterSeconds']);
  }
  return 0;
}

describe('signing in', () => {
  test('gives a secret that identifies the user, and is not in the store', async (fixture) => {
    const { access, contents } = fixture;
    const { secret, principal } = await access.passwords.signIn('Ada', PASSWORD, home);
    expect(access.credentials.authenticate('session', secret)).to.deep.equal(principal);
    expect(principal).to.deep.include({ role: 'admin', name: 'ada' });
    const kept = JSON.stringify([...contents.users.values(), ...contents.credentials.values()]);
    expect(kept).not.to.include(secret);
    expect(kept).not.to.include(PASSWORD);
  });

  test('takes a name in any case and any spelling of its letters', async (fixture) => {
    await fixture.access.users.put(owner, { name: 'Zoë', password: PASSWORD });
    for (const name of ['zoë', 'ZOË', 'zoe\u0308']) {
      expect((await fixture.access.passwords.signIn(name, PASSWORD, home)).principal.name).to.equal('zoë');
    }
  });

  test('accepts a password in every Unicode form of its letters, but only in its own case', async (fixture) => {
    await fixture.access.users.put(owner, { name: 'bob', password: 'zoe\u0308s Fahrrad' });
    await fixture.access.passwords.signIn('bob', 'zoës Fahrrad', home);
    await rejectionOf('SIGN_IN_REFUSED', fixture.access.passwords.signIn('bob', 'zoës fahrrad', home));
  });

  test('refuses a wrong password, an unknown user, a user without a password, and a value that is no text', async (fixture) => {
    await fixture.access.users.put(owner, { name: 'eve' });
    const attempts: readonly (readonly [unknown, unknown])[] = [
      ['ada', `${PASSWORD}!`],
      ['bob', PASSWORD],
      ['eve', ''],
      [undefined, undefined],
      [{}, []],
      ['a'.repeat(100_000), 'b'.repeat(100_000)],
    ];
    for (const [name, password] of attempts) {
      await rejectionOf('SIGN_IN_REFUSED', fixture.access.passwords.signIn(name, password, home));
    }
  });

  test('notes who is guessed at, also if so many others were guessed at from there that their number is not noted', async (fixture) => {
    await fixture.access.users.put(owner, { name: 'bob', password: PASSWORD });
    for (let n = 0; n < 4; n++) await codeOf(fixture.access.passwords.signIn(`nobody${n}`, 'wrong', abroad));
    fixture.notes.length = 0;
    for (const name of ['ada', 'bob', 'bob', 'bob'])
      await codeOf(fixture.access.passwords.signIn(name, 'wrong', abroad));
    expect(fixture.notes.map(({ actor, details }) => [actor, details['attempts']])).to.deep.equal([
      ['ada', 5],
      ['bob', 6],
      ['bob', 7],
      ['bob', 8],
    ]);
  });

  test('checks a hash for an unknown user too', async (fixture) => {
    const checked: (string | undefined)[] = [];
    const check = fixture.secrets.check.bind(fixture.secrets);
    fixture.secrets.check = (password, hash) => {
      checked.push(hash);
      return check(password, hash);
    };
    await codeOf(fixture.access.passwords.signIn('bob', PASSWORD, home));
    expect(checked).to.deep.equal([undefined]);
  });

  test('is invalid as a token, cut short, or changed', async (fixture) => {
    const { secret } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    expect(fixture.access.credentials.authenticate('token', secret)).to.equal(undefined);
    for (const wrong of ['', secret.slice(1), `${secret}A`, secret.toLowerCase(), 'x'.repeat(1_000_000)]) {
      expect(fixture.access.credentials.authenticate('session', wrong)).to.equal(undefined);
    }
  });

  itWithViewer('is refused if the user is removed while the password is checked', async (fixture) => {
    const check = fixture.secrets.check.bind(fixture.secrets);
    fixture.secrets.check = async (password, hash) => {
      const outcome = await check(password, hash);
      await fixture.access.users.remove(owner, 'viewer');
      return outcome;
    };
    await rejectionOf('SIGN_IN_REFUSED', fixture.access.passwords.signIn('viewer', PASSWORD, home));
    expect(fixture.contents.credentials.size).to.equal(0);
  });

  test('hashes a password again when the work factor has been raised', async (fixture) => {
    const check = fixture.secrets.check.bind(fixture.secrets);
    const stronger = '$scrypt$stronger';
    fixture.secrets.check = async (password, hash) => ({
      ...(await check(password, hash)),
      rehashed: stronger,
    });
    await fixture.access.passwords.signIn('ada', PASSWORD, home);
    expect(fixture.contents.users.get('ada')?.password).to.equal(stronger);
  });

  test('keeps 50 sessions of a user, and ends the oldest one for a new one', async (fixture) => {
    const sessions: SignedIn[] = [];
    for (let n = 0; n < 51; n++) {
      sessions.push(await fixture.access.passwords.signIn('ada', PASSWORD, home));
      fixture.clock.advance(1_000);
    }
    const isGood = sessions.map(
      ({ secret }) => fixture.access.credentials.authenticate('session', secret) !== undefined,
    );
    expect(isGood.indexOf(true)).to.equal(1);
    expect(isGood.filter(Boolean)).to.have.lengthOf(50);
  });
});

describe('a session', () => {
  test('ends after 12 hours over http, and after 30 days over https', async (fixture) => {
    const { access, clock } = fixture;
    const plain = await access.passwords.signIn('ada', PASSWORD, home);
    const secure = await access.passwords.signIn('ada', PASSWORD, secureHome);
    clock.advance(DAY_MS / 2 - 1_000);
    expect(access.credentials.authenticate('session', plain.secret)?.name).to.equal('ada');
    clock.advance(1_000);
    expect(access.credentials.authenticate('session', plain.secret)).to.equal(undefined);
    for (let day = 1; day < 30; day++) {
      expect(access.credentials.authenticate('session', secure.secret)?.name, `day ${day}`).to.equal('ada');
      clock.advance(DAY_MS);
    }
    clock.advance(DAY_MS);
    expect(access.credentials.authenticate('session', secure.secret)).to.equal(undefined);
  });

  test('ends when it was not used for more than a week', async (fixture) => {
    const { secret } = await fixture.access.passwords.signIn('ada', PASSWORD, secureHome);
    fixture.clock.advance(7 * DAY_MS);
    expect(fixture.access.credentials.authenticate('session', secret)?.name).to.equal('ada');
    fixture.clock.advance(8 * DAY_MS);
    expect(fixture.access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  it('of a screen on the wall lasts longer than the holidays, also over http', async () => {
    await using fixture = await AccessFixture.claimed('kiosk');
    const { secret } = await fixture.access.passwords.signIn('kiosk', PASSWORD, home);
    fixture.clock.advance(60 * DAY_MS);
    expect(fixture.access.credentials.authenticate('session', secret)?.role).to.equal('kiosk');
    fixture.clock.advance(341 * DAY_MS);
    expect(fixture.access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  test('lasts no longer if the clock is set back to before the latest scan', async (fixture) => {
    fixture.timekeeper.noteScan(fixture.clock.now());
    const before = fixture.clock.now();
    fixture.clock.set(0);
    const { expiresAt } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    expect(expiresAt).to.equal(before + 43_200);
  });

  test('is removed from the store within a minute of its end, and this is reported', async (fixture) => {
    await fixture.access.passwords.signIn('ada', PASSWORD, home);
    let changes = 0;
    fixture.access.changes.subscribe(() => changes++);
    fixture.clock.advance(DAY_MS / 2);
    await fixture.settle();
    fixture.clock.advance(60_000);
    await fixture.settle();
    expect(fixture.contents.credentials.size).to.equal(0);
    expect(changes).to.be.greaterThan(0);
  });

  test('survives a restart, with the day of its last use', async (fixture) => {
    const { secret, principal } = await fixture.access.passwords.signIn('ada', PASSWORD, secureHome);
    fixture.clock.advance(2 * DAY_MS);
    fixture.access.credentials.authenticate('session', secret);
    await fixture.access.close();
    const [credential] = fixture.contents.credentials.values();
    expect(credential?.lastUsed).to.equal(Math.floor(fixture.clock.now() / 86_400));
    await fixture.access.open();
    expect(fixture.access.credentials.authenticate('session', secret)).to.deep.equal(principal);
  });

  test('is written once a day at most, however often it is used', async (fixture) => {
    const { secret } = await fixture.access.passwords.signIn('ada', PASSWORD, secureHome);
    fixture.clock.advance(DAY_MS);
    await fixture.settle();
    const before = fixture.contents.changes;
    for (let n = 0; n < 100; n++) fixture.access.credentials.authenticate('session', secret);
    for (let minute = 1; minute <= 3; minute++) {
      fixture.clock.advance(60_000);
      await fixture.settle();
    }
    expect(fixture.contents.changes).to.equal(before + 1);
  });

  test('remembers its use while the store cannot write, and reports why', async (fixture) => {
    const { secret } = await fixture.access.passwords.signIn('ada', PASSWORD, secureHome);
    fixture.clock.advance(DAY_MS);
    fixture.access.credentials.authenticate('session', secret);
    const change = fixture.store.change.bind(fixture.store);
    fixture.store.change = () => Promise.reject(new Error('the disk is full'));
    fixture.clock.advance(60_000);
    await fixture.settle();
    expect(fixture.faults).to.have.lengthOf(1);
    fixture.store.change = change;
    fixture.clock.advance(60_000);
    await fixture.settle();
    const [credential] = fixture.contents.credentials.values();
    expect(credential?.lastUsed).to.equal(Math.floor(fixture.clock.now() / 86_400));
  });

  test('ends at once when it is revoked by another process', async (fixture) => {
    const { secret, principal } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    await fixture.store.change({ removeCredentials: [principal.credential ?? ''] });
    fixture.clock.advance(60_000);
    await fixture.settle();
    expect(fixture.access.credentials.authenticate('session', secret)).to.equal(undefined);
  });
});

describe('trying passwords', () => {
  const wrong = 'wrong horse battery';

  test('is slowed down per account: 1 s after three, twice as long each time, 60 s at most', async (fixture) => {
    const waits: number[] = [];
    for (let n = 0; n < 11; n++) {
      const origin = from(`10.0.0.${n}`);
      await rejectionOf('SIGN_IN_REFUSED', fixture.access.passwords.signIn('ada', wrong, origin));
      const wait = await secondsToWait(fixture.access.passwords.signIn('ada', wrong, home));
      waits.push(wait);
      fixture.clock.advance(wait * 1_000);
    }
    // Another wrong attempt went before the second one, without a delay.
    expect(waits).to.deep.equal([0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });

  test('is slowed down in parallel too', async (fixture) => {
    const attempts = Array.from({ length: 10 }, () =>
      codeOf(fixture.access.passwords.signIn('ada', wrong, home)),
    );
    const codes = await Promise.all(attempts);
    expect(codes.filter((code) => code === 'SIGN_IN_REFUSED')).to.have.lengthOf(3);
    expect(codes.filter((code) => code === 'SIGN_IN_TOO_SOON')).to.have.lengthOf(7);
  });

  test('is slowed down for an unknown name as for a known one', async (fixture) => {
    for (const name of ['ada', 'bob']) {
      const codes = [];
      for (let n = 0; n < 4; n++) {
        codes.push(await codeOf(fixture.access.passwords.signIn(name, wrong, from(`10.0.${name}.${n}`))));
      }
      expect(codes, name).to.deep.equal([...Array<string>(3).fill('SIGN_IN_REFUSED'), 'SIGN_IN_TOO_SOON']);
    }
  });

  test('locks nobody out of a browser where they have signed in before', async (fixture) => {
    const { knownBrowser } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    for (let n = 0; n < 20; n++) await codeOf(fixture.access.passwords.signIn('ada', wrong, abroad));
    for (let n = 0; n < 20; n++) await codeOf(fixture.access.passwords.signIn(`user${n}`, wrong, home));
    await rejectionOf('SIGN_IN_TOO_SOON', fixture.access.passwords.signIn('ada', PASSWORD, abroad));
    await fixture.access.passwords.signIn('ada', PASSWORD, { ...home, knownBrowser });
  });

  itWithViewer('tells nobody at a shared address that has to wait who has an account', async (fixture) => {
    await fixture.access.passwords.signIn('ada', PASSWORD, home);
    for (let n = 0; n < 15; n++) await codeOf(fixture.access.passwords.signIn(`user${n}`, wrong, home));
    for (const name of ['ada', 'viewer', 'nobody-here']) {
      expect(await codeOf(fixture.access.passwords.signIn(name, wrong, home)), name).to.equal(
        'SIGN_IN_TOO_SOON',
      );
    }
  });

  test('does not get faster when the clock of the system is set', async (fixture) => {
    for (let n = 0; n < 3; n++) await codeOf(fixture.access.passwords.signIn('ada', wrong, home));
    fixture.clock.set(2_000_000_000);
    await rejectionOf('SIGN_IN_TOO_SOON', fixture.access.passwords.signIn('ada', wrong, home));
  });

  test('is forgotten after a quarter of an hour', async (fixture) => {
    for (let n = 0; n < 3; n++) await codeOf(fixture.access.passwords.signIn('ada', wrong, home));
    fixture.clock.advance(901_000);
    for (let n = 0; n < 3; n++) {
      await rejectionOf('SIGN_IN_REFUSED', fixture.access.passwords.signIn('ada', wrong, home));
    }
  });

  test('is limited to 20 at the same time: the next attempt must wait', async (fixture) => {
    const free: (() => void)[] = [];
    fixture.secrets.check = () => new Promise((resolve) => free.push(() => resolve({ matches: false })));
    const attempts = Array.from({ length: 21 }, (_, n) =>
      codeOf(fixture.access.passwords.signIn(`user${n}`, wrong, from(`10.0.0.${n}`))),
    );
    expect(await attempts[20]).to.equal('SIGN_IN_TOO_SOON');
    for (const go of free) go();
    expect(new Set(await Promise.all(attempts.slice(0, 20)))).to.deep.equal(new Set(['SIGN_IN_REFUSED']));
  });

  test('is noted in the audit trail, less often the longer it goes on, and without unknown names', async (fixture) => {
    fixture.notes.length = 0;
    for (let n = 0; n < 9; n++) {
      await codeOf(fixture.access.passwords.signIn('ada', wrong, home));
      await codeOf(fixture.access.passwords.signIn('my password by mistake', wrong, from(`10.0.0.${n}`)));
      fixture.clock.advance(60_000);
    }
    expect(
      fixture.notes.map(({ actor, details }) => `${actor} ${String(details['attempts'])}`),
    ).to.have.members([
      ...['ada 1', 'ada 2', 'ada 4', 'ada 8'],
      ...['anyone 1', 'anyone 2', 'anyone 4', 'anyone 8'],
    ]);
    expect(JSON.stringify(fixture.notes)).not.to.include('mistake');
  });
});
