import { TallybookError } from '@tallybook/domain';
import type {
  ExpectedAnswer,
  MadePasskey,
  PasskeyPlace,
  PasskeyVerifier,
  UsedPasskey,
} from '@tallybook/domain/access';
import type { PasskeyDevice, PasskeyRequest } from '../contracts/access/passkey-verifier.js';

/** Answer of a device. {@link ScriptedPasskeyVerifier} believes all of it. */
export interface ScriptedAnswer {
  readonly kind: 'made' | 'used';
  /** Id of the passkey on the device. */
  readonly id: string;
  readonly challenge: string;
  readonly place: PasskeyPlace;
  readonly key: string;
  readonly counter: number;
  readonly isVerified: boolean;
  readonly isSynced: boolean;
  readonly response: { readonly userHandle?: string };
}

/** A device whose key is a word. */
export class ScriptedDevice implements PasskeyDevice {
  readonly #id: string;

  /** @param id Id of the passkey on the device, in base64url. */
  constructor(id: string) {
    this.#id = id;
  }

  make(request: PasskeyRequest): ScriptedAnswer {
    return this.#answer('made', request);
  }

  use(request: PasskeyRequest): ScriptedAnswer {
    return this.#answer('used', request);
  }

  #answer(kind: ScriptedAnswer['kind'], request: PasskeyRequest): ScriptedAnswer {
    const { origin, host, challenge, counter = 0, isVerified = true, isSynced = false } = request;
    return {
      ...{ kind, id: this.#id, challenge, place: { origin, host }, key: `key-of-${this.#id}` },
      ...{ counter, isVerified, isSynced, response: {} },
    };
  }
}

/** Accepts an answer with the right key, place and challenge. */
export class ScriptedPasskeyVerifier implements PasskeyVerifier {
  readonly algorithms: readonly number[] = [-7];
  /** The keys of the checks so far. */
  readonly asked: (string | undefined)[] = [];
  /** Awaited before each answer. */
  before: () => Promise<void> = () => Promise.resolve();

  async verifyMade(answer: object, expected: ExpectedAnswer): Promise<MadePasskey> {
    await this.before();
    if (!isRight(answer, 'made', expected)) {
      throw new TallybookError('INVALID_PASSKEY', 'it is not what was asked for');
    }
    const { challenge, id: credentialId, key: publicKey, counter, isSynced } = answer;
    return { challenge, credentialId, publicKey, counter, isSynced };
  }

  async verifyUsed(
    answer: object,
    expected: ExpectedAnswer,
    publicKey: string | undefined,
  ): Promise<UsedPasskey | undefined> {
    this.asked.push(publicKey);
    await this.before();
    if (!isRight(answer, 'used', expected) || answer.key !== publicKey) return undefined;
    const { challenge, counter } = answer;
    return { challenge, counter };
  }
}

function isRight(
  answer: Partial<ScriptedAnswer>,
  wanted: ScriptedAnswer['kind'],
  { origin, host, isChallenge }: ExpectedAnswer,
): answer is ScriptedAnswer {
  const { kind, place, challenge, isVerified } = answer;
  if (place === undefined || challenge === undefined) return false;
  const isHere = place.origin === origin && place.host === host;
  return kind === wanted && isHere && isVerified === true && isChallenge(challenge);
}
