import { owner, type AccessService, type User } from '@tallybook/domain/access';
import { expect } from 'chai';
import { Seals } from '../../src/access/seals.js';
import {
  abroad,
  type AccessFixture,
  codeOf,
  home,
  PASSWORD,
  itWithViewer,
  itUnclaimed,
  itClaimed as test,
} from './access-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

const wrong = 'wrong horse battery';

/** An attacker guesses passwords until the user has to wait for a minute. */
async function attack(fixture: AccessFixture, access: AccessService, user = 'ada'): Promise<void> {
  for (let n = 0; n < 12; n++) {
    await codeOf(access.passwords.signIn(user, wrong, abroad));
    fixture.clock.advance(60_000);
  }
  await codeOf(access.passwords.signIn(user, wrong, abroad));
}

describe('a browser from which somebody has signed in', () => {
  test('is known again after a restart, even if somebody tries passwords elsewhere', async (fixture) => {
    const { knownBrowser } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    await using restarted = await fixture.another();
    await attack(fixture, restarted);
    expect(await codeOf(restarted.passwords.signIn('ada', PASSWORD, home)), 'a strange one').to.equal(
      'SIGN_IN_TOO_SOON',
    );
    await restarted.passwords.signIn('ada', PASSWORD, { ...abroad, knownBrowser });
  });

  itUnclaimed('is known from the claim on, and its mark is in no store and names nobody', async (fixture) => {
    // A name of the letters of a mark, and so long that no random mark has it.
    const claim = { name: 'lovelace-of-london', password: PASSWORD };
    const { knownBrowser = '' } = await fixture.access.setup.claim(fixture.access.setup.code, claim, home);
    expect(knownBrowser)
      .to.match(/^[\w-]{86}$/)
      .and.not.include(claim.name);
    expect(JSON.stringify([...fixture.contents.users, ...fixture.contents.credentials])).to.not.include(
      knownBrowser.slice(0, 22),
    );
    await attack(fixture, fixture.access, claim.name);
    const origin = { ...abroad, knownBrowser };
    await fixture.access.passwords.signIn(claim.name, PASSWORD, origin);
  });

  test('must wait after its own failures', async (fixture) => {
    const { knownBrowser } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    const origin = { ...home, knownBrowser };
    for (let n = 0; n < 3; n++) {
      await rejectionOf('SIGN_IN_REFUSED', fixture.access.passwords.signIn('ada', wrong, origin));
    }
    await rejectionOf('SIGN_IN_TOO_SOON', fixture.access.passwords.signIn('ada', PASSWORD, origin));
    const other = { ...abroad, knownBrowser: 'x'.repeat(22) + '0'.repeat(64) };
    expect(await codeOf(fixture.access.passwords.signIn('ada', PASSWORD, other)), 'elsewhere').to.equal(
      'none',
    );
  });

  itWithViewer('is known for its own user, and until the password changes', async (fixture) => {
    const { knownBrowser } = await fixture.access.passwords.signIn('viewer', PASSWORD, home);
    const { knownBrowser: ofAda } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    await fixture.access.users.put(owner, { name: 'ada', password: 'another horse battery' });
    await using restarted = await fixture.another();
    await attack(fixture, restarted);
    const tries = [knownBrowser, ofAda, '', 'x', `${ofAda}0`, ofAda?.toUpperCase(), 'y'.repeat(1_000_000)];
    for (const each of tries) {
      const origin = { ...home, knownBrowser: each };
      expect(await codeOf(restarted.passwords.signIn('ada', PASSWORD, origin)), each).to.equal(
        'SIGN_IN_TOO_SOON',
      );
    }
  });

  test('is unknown for a user without a password, whose earlier mark is invalid', async (fixture) => {
    const { timekeeper, secrets } = fixture;
    const ledger = { secret: 's'.repeat(43), now: () => timekeeper.now() };
    const seals = new Seals(secrets, ledger);
    const without: User = {
      name: 'eve',
      role: 'viewer',
      password: undefined,
      createdAt: timekeeper.now(),
    };
    const user: User = { ...without, password: 'a hash' };
    const mark = seals.markOf(user);
    expect(seals.browserOf(user, mark)).to.be.a('string');
    expect(seals.browserOf(without, mark)).to.equal(undefined);
    expect(seals.markOf(without)).to.equal(undefined);
    expect(new Seals(secrets, { ...ledger, secret: '' }).browserOf(user, mark)).to.equal(undefined);
  });
});
