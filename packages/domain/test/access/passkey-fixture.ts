import { owner, type PasskeyPlace, type Principal, type SignedIn } from '@tallybook/domain/access';
import { ScriptedPasskeyVerifier, type MemoryAccess, type ScriptedAnswer } from '@tallybook/testing';
import { AccessFixture, home, PASSWORD } from './access-fixture.js';
import { testOn } from '../fixtures/test-on.js';

export const tally: PasskeyPlace = { origin: 'https://tally.example', host: 'tally.example' };

/** A server with passkeys, on data that other servers may share. */
export class PasskeyFixture extends AccessFixture {
  readonly verifier: ScriptedPasskeyVerifier;
  /** Number of writes to the store. */
  writes = 0;

  private constructor(contents: MemoryAccess | undefined, hasVerifier: boolean) {
    const verifier = new ScriptedPasskeyVerifier();
    super({}, undefined, { ...(contents && { contents }), passkeys: hasVerifier ? verifier : undefined });
    this.verifier = verifier;
    const change = this.store.change.bind(this.store);
    this.store.change = (...changes) => {
      this.writes++;
      return change(...changes);
    };
  }

  static async on(contents?: MemoryAccess, hasVerifier = true): Promise<PasskeyFixture> {
    return new PasskeyFixture(contents, hasVerifier).start();
  }

  /** A server with `ada`, an admin, and `bob`, a viewer. */
  static async withUsers(): Promise<PasskeyFixture> {
    const fixture = await PasskeyFixture.on();
    await fixture.access.users.put(owner, { name: 'ada', password: PASSWORD });
    await fixture.access.users.put(owner, { name: 'bob', role: 'viewer', password: PASSWORD });
    return fixture;
  }

  async signIn(name: string): Promise<Principal> {
    return (await this.access.passwords.signIn(name, PASSWORD, home)).principal;
  }

  /** Adds a passkey for a user, and returns the data of the device. */
  async add(by: Principal, id: string, { counter = 0, place = tally } = {}): Promise<ScriptedAnswer> {
    const proof = { password: PASSWORD, address: home.address };
    const { challenge, handle } = await this.access.passkeys.request(by, proof, place);
    const used: ScriptedAnswer = {
      ...{ kind: 'used', id, challenge, place, key: `key of ${id}`, counter },
      ...{ isVerified: true, isSynced: counter === 0, response: { userHandle: handle } },
    };
    const answer: ScriptedAnswer = { ...used, kind: 'made' };
    await this.access.passkeys.add(by, { label: id, answer }, place);
    return used;
  }

  /** Asks for a challenge and answers it. */
  async use(
    device: ScriptedAnswer,
    changed: Partial<ScriptedAnswer> = {},
    place: PasskeyPlace = tally,
  ): Promise<SignedIn> {
    const { challenge } = await this.access.passkeySignIn.challenge(place);
    return this.access.passkeySignIn.signIn({ ...device, challenge, ...changed }, place, home);
  }
}

export const itWithPasskeys = testOn(() => PasskeyFixture.withUsers());
