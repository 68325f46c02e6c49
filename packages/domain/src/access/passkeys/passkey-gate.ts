import { TallybookError } from '../../errors.js';
import type { PasskeyPlace, PasskeyVerifier } from '../ports/passkey-verifier.js';
import type { SpentChallenge } from '../values/passkey.js';
import { Seal } from '../seal.js';
import { tooSoon } from '../sign-in-throttle.js';
import { PasskeyBook } from './passkey-book.js';
import { CHALLENGE_SECONDS, type MaybePlace, type PasskeyDeskParts } from './passkey-parts.js';

/** Maximum number of answers that are checked at the same time. */
const MAX_WAITING = 20;
const WAIT_MS = 2_000;

/**
 * Shared by signing in and adding: makes and opens challenges, and limits the number of answers that are checked at the
 * same time.
 */
export class PasskeyGate {
  readonly parts: PasskeyDeskParts;
  readonly book: PasskeyBook;
  readonly #seal: Seal;
  #waiting = 0;

  constructor(parts: PasskeyDeskParts) {
    this.parts = parts;
    this.book = new PasskeyBook(() => parts.ledger.directory);
    this.#seal = new Seal(parts.secrets, CHALLENGE_SECONDS);
  }

  /** @throws {TallybookError} `PASSKEYS_UNAVAILABLE` */
  require(place: MaybePlace): { readonly verifier: PasskeyVerifier; readonly place: PasskeyPlace } {
    const { verifier } = this.parts;
    if (verifier === undefined) throw unavailable('this service has no passkeys');
    if (place === undefined) {
      throw unavailable('browsers offer passkeys only with https and a host name, not an IP address');
    }
    return { verifier, place };
  }

  seal(key: string, purpose: string): string {
    return this.#seal.make(key, purpose, this.parts.ledger.now());
  }

  /**
   * The part of a challenge to remember as answered; `undefined` if the challenge is not valid for this purpose, or was
   * answered.
   *
   * @param keys All keys that it may have been sealed with.
   */
  open(keys: readonly string[], purpose: string, challenge: string): SpentChallenge | undefined {
    const spent = this.#seal.open(keys, purpose, challenge, this.parts.ledger.now());
    return spent === undefined || this.book.isSpent(spent) ? undefined : spent;
  }

  /** @throws {TallybookError} `SIGN_IN_TOO_SOON` while the maximum number of answers is being checked. */
  requireRoom(): void {
    if (this.#waiting >= MAX_WAITING) throw tooSoon(WAIT_MS);
  }

  /** Checks an answer, unless too many are being checked. */
  async verify<T>(work: () => Promise<T>): Promise<T> {
    this.requireRoom();
    this.#waiting++;
    try {
      return await work();
    } finally {
      this.#waiting--;
    }
  }
}

export function unavailable(message: string): TallybookError {
  return new TallybookError('PASSKEYS_UNAVAILABLE', message);
}
