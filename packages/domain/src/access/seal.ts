import type { Secrets } from './ports/secrets.js';
import type { SpentChallenge } from './values/passkey.js';
import { toTimestamp, type Timestamp } from '../values/timestamp.js';
import { isSameSecret } from './same-secret.js';

/** Seconds by which the clocks of two servers on one store may differ. */
const SKEW_SECONDS = 60;

const END_LENGTH = 8;
const NONCE_LENGTH = 32;
/** 104 characters. As base64url, the form of challenges of passkeys, they are exactly 78 bytes. */
const SEALED = /^([0-9a-z]{8})([\w-]{32})([0-9a-f]{64})$/;

/**
 * Makes sealed texts that browsers keep and bring back, such as challenges of passkeys. Every server on the store recognises
 * them, although no server stores them.
 *
 * ```
 * end, in base 36 (8)  nonce (32)  seal of both and of the purpose (64)
 * ```
 */
export class Seal {
  readonly #secrets: Pick<Secrets, 'digest' | 'random'>;
  readonly #seconds: number;

  /** @param seconds How long each text is valid. */
  constructor(secrets: Pick<Secrets, 'digest' | 'random'>, seconds: number) {
    this.#secrets = secrets;
    this.#seconds = seconds;
  }

  /** @param purpose The only use for which the text is valid. */
  make(key: string, purpose: string, now: Timestamp): string {
    const end = (now + this.#seconds).toString(36).padStart(END_LENGTH, '0');
    const nonce = this.#secrets.random().slice(0, NONCE_LENGTH);
    return `${end}${nonce}${this.#sealOf(key, purpose, end, nonce)}`;
  }

  /**
   * The part of a sealed text to remember, so that it is accepted only once; `undefined` if it was not sealed here, or has
   * expired.
   *
   * @param keys All keys that it may have been made with.
   */
  open(keys: readonly string[], purpose: string, sealed: string, now: Timestamp): SpentChallenge | undefined {
    const [, end, nonce, seal] = SEALED.exec(sealed) ?? [];
    if (end === undefined || nonce === undefined || seal === undefined) return undefined;
    const endsAt = Number.parseInt(end, 36);
    if (now >= endsAt || endsAt > now + this.#seconds + SKEW_SECONDS) return undefined;
    const isRight = (key: string): boolean =>
      isSameSecret(this.#secrets, seal, this.#sealOf(key, purpose, end, nonce));
    return keys.some(isRight) ? { nonce, until: toTimestamp(endsAt + SKEW_SECONDS) } : undefined;
  }

  #sealOf(key: string, purpose: string, end: string, nonce: string): string {
    return sealOf(this.#secrets, key, `${end} ${nonce} ${purpose}`);
  }
}

/**
 * Two digests, as in HMAC: with a single digest, an attacker could calculate the digest of a longer text without the
 * key.
 */
export function sealOf(secrets: Pick<Secrets, 'digest'>, key: string, text: string): string {
  return secrets.digest(`${key} ${secrets.digest(`${key} ${text}`)}`);
}
