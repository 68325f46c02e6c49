import { toTimestamp } from '../values/timestamp.js';
import type { AccessLedger } from './access-ledger.js';
import type { Secrets } from './ports/secrets.js';
import type { User } from './values/access.js';
import type { SpentChallenge } from './values/passkey.js';

/** Seconds by which the clocks of two servers on one store may differ. */
const SKEW_SECONDS = 60;

const END_LENGTH = 8;
const NONCE_LENGTH = 32;
/** 104 characters. As base64url, the form of challenges of passkeys, they are exactly 78 bytes. */
const SEALED = /^([0-9a-z]{8})([\w-]{32})([0-9a-f]{64})$/;

const MARK_NONCE_LENGTH = 22;
const MARK = /^([\w-]{22})([0-9a-f]{64})$/;

/**
 * Texts that browsers keep and bring back. Every server on the store recognises them by the secret of the service, although
 * no server stores them.
 *
 * ```
 * challenge or ticket   end, in base 36 (8)  nonce (32)  HMAC of both and of the purpose (64)
 * mark of a browser     nonce (22)  HMAC of the nonce and of the user (64)
 * ```
 */
export class Seals {
  readonly #secrets: Pick<Secrets, 'digest' | 'hmac' | 'random'>;
  readonly #ledger: Pick<AccessLedger, 'now' | 'secret'>;

  constructor(
    secrets: Pick<Secrets, 'digest' | 'hmac' | 'random'>,
    ledger: Pick<AccessLedger, 'now' | 'secret'>,
  ) {
    this.#secrets = secrets;
    this.#ledger = ledger;
  }

  /** @param purpose The only use for which the text is valid. */
  make(purpose: string, seconds: number): string {
    const end = (this.#ledger.now() + seconds).toString(36).padStart(END_LENGTH, '0');
    const nonce = this.#secrets.random().slice(0, NONCE_LENGTH);
    return `${end}${nonce}${this.#hmac(`${end} ${nonce} ${purpose}`)}`;
  }

  /**
   * The part of a sealed text to remember, so that it is accepted only once; `undefined` if it was not sealed for this
   * purpose, or has expired.
   *
   * @param seconds As in {@link make}.
   */
  open(sealed: string, purpose: string, seconds: number): SpentChallenge | undefined {
    const [, end, nonce, hmac] = SEALED.exec(sealed) ?? [];
    if (end === undefined || nonce === undefined || hmac === undefined) return undefined;
    const [now, endsAt] = [this.#ledger.now(), Number.parseInt(end, 36)];
    if (now >= endsAt || endsAt > now + seconds + SKEW_SECONDS) return undefined;
    if (!isSameSecret(this.#secrets, hmac, this.#hmac(`${end} ${nonce} ${purpose}`))) return undefined;
    return { nonce, until: toTimestamp(endsAt + SKEW_SECONDS) };
  }

  /**
   * A mark for a browser in which a user has signed in with the password; `undefined` for a user without one. In such a
   * browser the user does not have to wait because of wrong passwords from elsewhere. A new password forgets all browsers.
   *
   * Call it only after a sign-in with the password: each mark allows some more guesses.
   */
  markOf(user: User): string | undefined {
    if (user.password === undefined) return undefined;
    const nonce = this.#secrets.random().slice(0, MARK_NONCE_LENGTH);
    return `${nonce}${this.#hmacOfMark(user, nonce)}`;
  }

  /**
   * A key for each browser with a mark; `undefined` if the user has not signed in from it with the present password.
   *
   * @param mark Untrusted.
   */
  browserOf(user: User | undefined, mark: string | undefined): string | undefined {
    const [, nonce, hmac] = MARK.exec(mark ?? '') ?? [];
    if (user?.password === undefined || nonce === undefined || hmac === undefined) return undefined;
    return isSameSecret(this.#secrets, hmac, this.#hmacOfMark(user, nonce)) ? nonce : undefined;
  }

  #hmacOfMark({ name, password }: User, nonce: string): string {
    return this.#hmac(`known browser ${nonce} ${name} ${password}`);
  }

  #hmac(text: string): string {
    return this.#secrets.hmac(this.#ledger.secret, text);
  }
}

/** Whether two texts are the same. Compares digests, so that the time does not show how many characters were right. */
export function isSameSecret(secrets: Pick<Secrets, 'digest'>, one: string, other: string): boolean {
  return secrets.digest(one) === secrets.digest(other);
}
