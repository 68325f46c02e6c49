import type { Secrets } from '../ports/secrets.js';
import type { User } from '../values/access.js';
import type { SignedIn } from '../access-parts.js';
import { isSameSecret } from '../same-secret.js';
import { sealOf } from '../seal.js';

const NONCE_LENGTH = 22;
const MARK = /^([\w-]{22})([0-9a-f]{64})$/;

/**
 * Recognises browsers from which a user has signed in with the password, also after a restart. In such a browser, the user
 * does not have to wait because of wrong passwords from elsewhere. Only the browser keeps the mark, which names nobody:
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
   * Adds a mark for the browser to keep. Only after a sign-in with the password: each mark allows some more guesses, and
   * people who sign in without the password must not get them.
   */
  markIn(signedIn: SignedIn, { name, password }: User): SignedIn {
    if (password === undefined) return signedIn;
    const nonce = this.#secrets.random().slice(0, NONCE_LENGTH);
    return { ...signedIn, knownBrowser: `${nonce}${this.#sealOf(password, name, nonce)}` };
  }

  /**
   * A key for each browser of a user; `undefined` if the user has not signed in from it with the present password.
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
