import { TallybookError } from '../../errors.js';
import type { Secrets } from '../ports/secrets.js';
import type { User } from '../values/access.js';
import type { AccessLedger } from '../access-ledger.js';
import type { AccessState, Origin, SignedIn, UserChoice } from '../access-parts.js';
import type { Sessions } from '../credentials/sessions.js';
import type { PasswordDesk } from '../passwords/password-desk.js';
import { isSameSecret, type Seals } from '../seals.js';
import { parseUserName } from '../user-rules.js';

/** What {@link FirstUser} needs. */
export interface FirstUserParts {
  readonly secrets: Secrets;
  readonly ledger: AccessLedger;
  readonly passwords: PasswordDesk;
  readonly sessions: Sessions;
  readonly seals: Seals;
  /** As in `AccessOptions`. */
  readonly requiresClaim: boolean;
}

/** Makes the first user, by a code that only the operator can know. */
export class FirstUser {
  readonly #parts: FirstUserParts;
  #code: string | undefined;

  /** Made by `AccessService`. */
  constructor(parts: FirstUserParts) {
    this.#parts = parts;
  }

  get state(): AccessState {
    if (this.#parts.ledger.directory.hasUsers) return 'claimed';
    return this.#parts.requiresClaim ? 'unclaimed' : 'open';
  }

  /**
   * Code that claims the service: 12 characters, a new one after each opening. `undefined` unless the service is
   * unclaimed.
   */
  get code(): string | undefined {
    return this.state === 'unclaimed' ? this.#code : undefined;
  }

  makeCode(): void {
    this.#code = this.#parts.secrets.randomCode();
  }

  forgetCode(): void {
    this.#code = undefined;
  }

  /**
   * Makes the first user, an `admin`, by the setup code, and signs in.
   *
   * Rejects with `SETUP_REFUSED`, `ALREADY_CLAIMED`, `SIGN_IN_TOO_SOON`, `INVALID_USER` and `INVALID_PASSWORD`.
   */
  claim(code: unknown, choice: UserChoice, origin: Origin): Promise<SignedIn> {
    return this.#parts.ledger.run(() => this.#claim(code, choice, origin));
  }

  async #claim(code: unknown, choice: UserChoice, origin: Origin): Promise<SignedIn> {
    const { ledger, passwords, sessions, seals } = this.#parts;
    this.#requireUnclaimed();
    const attempt = { account: `setup code at ${origin.address}`, address: origin.address };
    if (!passwords.allow(attempt, () => this.#isCode(code))) {
      throw new TallybookError('SETUP_REFUSED', 'this is not the setup code of this service');
    }
    const name = parseUserName(choice.name);
    const password = await passwords.hash(choice.password, name);
    return ledger.transaction(async () => {
      this.#requireUnclaimed();
      const user: User = { name, role: 'admin', password, createdAt: ledger.now() };
      const { signedIn, changes } = sessions.make(user, origin);
      await ledger.change({ ...changes, putUsers: [user] });
      await ledger.note(name, 'claimed');
      return { ...signedIn, knownBrowser: seals.markOf(user) };
    });
  }

  #isCode(code: unknown): boolean {
    if (typeof code !== 'string' || this.#code === undefined) return false;
    return isSameSecret(this.#parts.secrets, normaliseSetupCode(code), this.#code);
  }

  #requireUnclaimed(): void {
    if (this.state === 'claimed') {
      throw new TallybookError('ALREADY_CLAIMED', 'this service has users already; sign in');
    }
    if (this.state === 'open') {
      throw new TallybookError('SETUP_REFUSED', 'this service is open to everybody; add a user instead');
    }
  }
}

/** The form in which setup codes are compared: people type small letters, groups, `O` for `0`, and `I` or `L` for `1`. */
function normaliseSetupCode(text: string): string {
  return text.slice(0, 100).toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
