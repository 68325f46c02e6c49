import { TallybookError } from '../../errors.js';
import type { PasskeyPlace, PasskeyVerifier } from '../ports/passkey-verifier.js';
import type { SpentChallenge } from '../values/passkey.js';
import { WorkLimit } from '../work-limit.js';
import { PasskeyBook } from './passkey-book.js';
import { CHALLENGE_SECONDS, type MaybePlace, type PasskeyDeskParts } from './passkey-parts.js';

/** Shared by signing in and adding: where there are passkeys, and which challenges are open. */
export class PasskeyGate {
  readonly parts: PasskeyDeskParts;
  readonly book: PasskeyBook;
  /** The answers that are being checked. */
  readonly checks: WorkLimit = new WorkLimit();

  constructor(parts: PasskeyDeskParts) {
    this.parts = parts;
    this.book = new PasskeyBook(() => parts.ledger.directory);
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

  challengeFor(purpose: string): string {
    return this.parts.seals.make(purpose, CHALLENGE_SECONDS);
  }

  /**
   * The part of a challenge to remember as answered; `undefined` if the challenge is not valid for this purpose, or was
   * answered.
   */
  open(challenge: string, purpose: string): SpentChallenge | undefined {
    const spent = this.parts.seals.open(challenge, purpose, CHALLENGE_SECONDS);
    return spent === undefined || this.book.isSpent(spent) ? undefined : spent;
  }
}

export function unavailable(message: string): TallybookError {
  return new TallybookError('PASSKEYS_UNAVAILABLE', message);
}
