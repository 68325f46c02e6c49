import type { Secrets } from '../../ports/secrets.js';
import type { User } from '../../values/access/access.js';
import type { SignedIn } from '../access-parts.js';
import { isSameSecret } from '../same-secret.js';
import { sealOf } from '../seal.js';

const NONCE_LENGTH = 22;
const MARK = /^([\w-]{22})([0-9a-f]{64})$/;

/**
 * Recognises browsers from which a user has signed in with the password, also after a restart, so that wrong passwords from
 * elsewhere do not make the user wait there. The mark is kept by the browser alone, and names nobody:
 *
 * ```
 * nonce (22)  seal of the nonce and of the user (64)
 * ```
 *
 * The key is the salted hash of the password: a new password forgets all browsers.
 */
export class KnownBrowsers {
  readonly #secrets: Pick<Secrets, 'digest' | 'random'>;

  constructor(secrets: Pick<Secrets, 'digest' | 'random'>) {
    this.#secrets = secrets;
  }

  /**
   * Adds to a sign-in the mark that the browser is to keep. Only after a sign-in with the password: each mark allows guesses
   * of its own, and whoever signs in otherwise must not get those.
   */
  markIn(signedIn: SignedIn, { name, password }: User): SignedIn {
    if (password === undefined) return signedIn;
    const nonce = this.#secrets.random().slice(0, NONCE_LENGTH);
    return { ...signedIn, knownBrowser: `${nonce}${this.#sealOf(password, name, nonce)}` };
  }

  /**
   * Tells the browsers of a user apart; `undefined` for one from which the user has not signed in with the present password.
   *
   * @param mark Untrusted.
   */
  find(user: User | undefined, mark: string | undefined): string | undefined {
    const [, nonce, seal] = MARK.exec(mark ?? '') ?? [];
    if (user?.password === undefined || nonce === undefined || seal === undefined) return undefined;
    const right = this.#sealOf(user.password, user.name, nonce);
    return isSameSecret(this.#secrets, seal, right) ? nonce : undefined;
  }

  #sealOf(key: string, name: string, nonce: string): string {
    return sealOf(this.#secrets, key, `known browser ${nonce} ${name}`);
  }
}
