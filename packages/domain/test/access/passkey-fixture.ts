import {
  AccessService,
  Calendar,
  owner,
  TallybookError,
  Timekeeper,
  type AuditAction,
  type AuditDetails,
  type ExpectedAnswer,
  type MadePasskey,
  type PasskeyPlace,
  type PasskeyVerifier,
  type Principal,
  type SignedIn,
  type UsedPasskey,
} from '@tallybook/domain';
import { SystemSecrets } from '@tallybook/secrets-system';
import { ManualClock, MemoryAccessStore, noAccess, type MemoryAccess } from '@tallybook/testing';
import { home, PASSWORD } from './access-fixture.js';

export const tally: PasskeyPlace = { origin: 'https://tally.example', host: 'tally.example' };

/** What a device answers, of which the verifier below believes every word. */
export interface Answer {
  readonly id: string;
  readonly challenge: string;
  readonly place: PasskeyPlace;
  readonly key: string;
  readonly counter: number;
  readonly response: { readonly userHandle?: string };
}

/** Takes an answer that says the right key, place and challenge. Counts what it is asked. */
class WordedVerifier implements PasskeyVerifier {
  readonly algorithms: readonly number[] = [-7];
  /** The keys that it was asked to check with. */
  readonly asked: (string | undefined)[] = [];
  /** Waited for before each answer. */
  before: () => Promise<void> = () => Promise.resolve();

  async verifyMade(answer: object, expected: ExpectedAnswer): Promise<MadePasskey> {
    await this.before();
    const { challenge, place, id, key, counter } = answer as Answer;
    if (!isOf(place, expected) || !expected.isChallenge(challenge)) {
      throw new TallybookError('INVALID_PASSKEY', 'it is not what was asked for');
    }
    return { challenge, credentialId: id, publicKey: key, counter, isSynced: counter === 0 };
  }

  async verifyUsed(
    answer: object,
    expected: ExpectedAnswer,
    publicKey: string | undefined,
  ): Promise<UsedPasskey | undefined> {
    this.asked.push(publicKey);
    await this.before();
    const { challenge, place, key, counter } = answer as Answer;
    const isRight = key === publicKey && isOf(place, expected) && expected.isChallenge(challenge);
    return isRight ? { challenge, counter } : undefined;
  }
}

function isOf(place: PasskeyPlace, { origin, host }: ExpectedAnswer): boolean {
  return place.origin === origin && place.host === host;
}

/** A server with passkeys, over what it may share with others. */
export class PasskeyFixture implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly verifier = new WordedVerifier();
  readonly notes: { actor: string; action: AuditAction; details: AuditDetails }[] = [];
  readonly store: MemoryAccessStore;
  readonly access: AccessService;
  /** How often the store was written to. */
  writes = 0;

  private constructor(contents: MemoryAccess, hasVerifier: boolean) {
    this.store = new MemoryAccessStore(contents);
    const change = this.store.change.bind(this.store);
    this.store.change = (...changes) => {
      this.writes++;
      return change(...changes);
    };
    this.access = new AccessService({
      store: this.store,
      secrets: new SystemSecrets({ workFactor: 10 }),
      passkeys: hasVerifier ? this.verifier : undefined,
      timekeeper: new Timekeeper(this.clock),
      calendar: new Calendar(),
      audit: {
        note: (actor, action, details = {}) => {
          this.notes.push({ actor, action, details });
          return Promise.resolve();
        },
      },
    });
  }

  static async open({
    contents = noAccess(),
    hasVerifier = true,
  }: { readonly contents?: MemoryAccess; readonly hasVerifier?: boolean } = {}): Promise<PasskeyFixture> {
    const fixture = new PasskeyFixture(contents, hasVerifier);
    await fixture.store.open();
    await fixture.access.open();
    return fixture;
  }

  /** With `ada`, an admin, and `bob`, a viewer. */
  static async claimed(contents?: MemoryAccess): Promise<PasskeyFixture> {
    const fixture = await PasskeyFixture.open({ ...(contents && { contents }) });
    await fixture.access.putUser(owner, { name: 'ada', password: PASSWORD });
    await fixture.access.putUser(owner, { name: 'bob', role: 'viewer', password: PASSWORD });
    return fixture;
  }

  async signIn(name: string): Promise<Principal> {
    return (await this.access.signIn(name, PASSWORD, home)).principal;
  }

  /** Adds a passkey of somebody, and gives what its device knows. */
  async add(by: Principal, id: string, { counter = 0, place = tally } = {}): Promise<Answer> {
    const proof = { password: PASSWORD, address: home.address };
    const { challenge, handle } = await this.access.passkeys.request(by, proof, place);
    const answer = { id, challenge, place, key: `key of ${id}`, counter, response: { userHandle: handle } };
    await this.access.passkeys.add(by, { label: id, answer }, place);
    return answer;
  }

  /** Asks for a challenge, and answers it. */
  async use(device: Answer, changed: Partial<Answer> = {}, place: PasskeyPlace = tally): Promise<SignedIn> {
    const { challenge } = await this.access.passkeySignIn.challenge(place);
    return this.access.passkeySignIn.signIn({ ...device, challenge, ...changed }, place, home);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.access.close();
    await this.store.close();
  }
}
