import type { Secrets } from '../../ports/secrets.js';
import type { SpentChallenge } from '../../values/access/passkey.js';
import { toTimestamp, type Timestamp } from '../../values/timestamp.js';

/** Seconds in which a challenge may be answered. */
export const CHALLENGE_SECONDS = 300;
/** Seconds by which the clocks of two servers on one store may differ. */
const SKEW_SECONDS = 60;

const END_LENGTH = 8;
const NONCE_LENGTH = 32;
/** 104 characters: as base64url they are 78 bytes, with no bit left over. */
const CHALLENGE = /^([0-9a-z]{8})([\w-]{32})([0-9a-f]{64})$/;

/**
 * Makes challenges that every server on the store knows again, though none of them is kept anywhere.
 *
 * ```
 * end, in base 36 (8)  nonce (32)  seal of both, and of what it is for (64)
 * ```
 */
export class ChallengeSeal {
  readonly #secrets: Pick<Secrets, 'digest' | 'random'>;

  constructor(secrets: Pick<Secrets, 'digest' | 'random'>) {
    this.#secrets = secrets;
  }

  /** @param purpose What it may be answered for; another purpose does not know it. */
  make(key: string, purpose: string, now: Timestamp): string {
    const end = (now + CHALLENGE_SECONDS).toString(36).padStart(END_LENGTH, '0');
    const nonce = this.#secrets.random().slice(0, NONCE_LENGTH);
    return `${end}${nonce}${this.#sealOf(key, purpose, end, nonce)}`;
  }

  /** What is to be remembered of a challenge so that it is taken once; `undefined` if it is none, or has ended. */
  open(key: string, purpose: string, challenge: string, now: Timestamp): SpentChallenge | undefined {
    const [, end, nonce, seal] = CHALLENGE.exec(challenge) ?? [];
    if (end === undefined || nonce === undefined || seal === undefined) return undefined;
    const right = this.#sealOf(key, purpose, end, nonce);
    // Digests, so that the time says nothing about how much of it was right.
    if (this.#secrets.digest(seal) !== this.#secrets.digest(right)) return undefined;
    const endsAt = Number.parseInt(end, 36);
    if (now >= endsAt || endsAt > now + CHALLENGE_SECONDS + SKEW_SECONDS) return undefined;
    return { nonce, until: toTimestamp(endsAt + SKEW_SECONDS) };
  }

  /** Twice over, as HMAC does: of a single digest, somebody could make that of a longer text. */
  #sealOf(key: string, purpose: string, end: string, nonce: string): string {
    const inner = this.#secrets.digest(`${key} ${end} ${nonce} ${purpose}`);
    return this.#secrets.digest(`${key} ${inner}`);
  }
}
