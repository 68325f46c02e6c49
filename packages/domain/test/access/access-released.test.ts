import { type Timestamp } from '@tallybook/domain';
import type { Credential } from '@tallybook/domain/access';
import { expect } from 'chai';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { AccessDirectory } from '../../src/access/access-directory.js';
import { AccessFixture, codeOf, from, home, PASSWORD, itClaimed as test } from './access-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

const wrong = 'wrong horse battery';
const AT_ONCE = 20;

describe('an AccessService', () => {
  it('checks once a minute by default, holds no program, and leaves no timer when it is closed', async () => {
    const fixture = await AccessFixture.claimed();
    await fixture.access.close();
    const appointments = watchAppointments(fixture.clock);
    await fixture.access.open();
    expect(appointments.asked).to.deep.equal([[60_000, { holdsProgram: false }]]);
    fixture.clock.advance(60_000);
    await fixture.settle();
    expect(appointments.waiting).to.deep.equal([60_000]);
    await fixture.access.close();
    expect(appointments.waiting).to.deep.equal([]);
  });

  test('frees the places of checked passwords, right or wrong', async (fixture) => {
    for (let round = 0; round < 3; round++) {
      const codes = Array.from({ length: AT_ONCE }, (_, n) =>
        codeOf(fixture.access.passwords.signIn(`user${n}`, wrong, from(`10.0.${round}.${n}`))),
      );
      expect(new Set(await Promise.all(codes))).to.deep.equal(new Set(['SIGN_IN_REFUSED']));
      fixture.clock.advance(60_000);
    }
    await fixture.access.passwords.signIn('ada', PASSWORD, home);
  });

  test('asks to wait two seconds while too many passwords are checked', async (fixture) => {
    const free: (() => void)[] = [];
    fixture.secrets.check = () => new Promise((resolve) => free.push(() => resolve({ matches: false })));
    const attempts = Array.from({ length: AT_ONCE }, (_, n) =>
      codeOf(fixture.access.passwords.signIn(`user${n}`, wrong, from(`10.0.0.${n}`))),
    );
    const signingIn = fixture.access.passwords.signIn('ada', wrong, home);
    const { details } = await rejectionOf('SIGN_IN_TOO_SOON', signingIn);
    expect(details).to.deep.equal({ retryAfterSeconds: 2 });
    for (const go of free) go();
    await Promise.all(attempts);
  });
});

describe('the directory of access', () => {
  it('remembers the last thousand shown secrets', () => {
    const tokens = Array.from({ length: 1_001 }, (_, n): Credential => ({
      ...{ id: `id${n}`, digest: `digest of ${n}`, kind: 'token', role: 'viewer', label: `${n}` },
      ...{ user: undefined, createdAt: 0 as Timestamp, expiresAt: undefined, lastUsed: undefined },
    }));
    const directory = new AccessDirectory({ users: [], credentials: tokens });
    let digests = 0;
    const show = (n: number): void => {
      const found = directory.find(String(n), (text) => {
        digests++;
        return `digest of ${text}`;
      });
      expect(found?.credential.id).to.equal(`id${n}`);
    };
    for (let n = 0; n < 1_000; n++) show(n);
    for (let n = 0; n < 1_000; n++) show(n);
    expect(digests).to.equal(1_000);
    show(1_000);
    show(0);
    expect(digests).to.equal(1_002);
  });
});
