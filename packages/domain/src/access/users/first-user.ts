import { TallybookError } from '../../errors.js';
import type { Secrets } from '../ports/secrets.js';
import type { User } from '../values/access.js';
import type { AccessLedger } from '../access-ledger.js';
import type { AccessState, Origin, SignedIn, UserChoice } from '../access-parts.js';
import type { KnownBrowsers } from '../credentials/known-browsers.js';
import type { Sessions } from '../credentials/sessions.js';
import type { PasswordDesk } from '../passwords/password-desk.js';
import { isSameSecret } from '../same-secret.js';
import { parseUserName } from '../user-name.js';
import { normaliseSetupCode } from './setup-code.js';

/** What {@link FirstUser} needs. */
export interface FirstUserParts {
  readonly secrets: Secrets;
  readonly ledger: AccessLedger;
  readonly passwords: PasswordDesk;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  /** As in `AccessOptions`. */
  readonly requiresClaim: boolean;
}

/** Makes the first user, by a code that only the operator can know. */
export class FirstUser {
  readonly #parts: FirstUserParts;
  #code: string | undefined;

  constructor(parts: FirstUserParts) {
    this.#parts = parts;
  }

  get state(): AccessState {
    if (this.#parts.ledger.directory.hasUsers) return 'claimed';
    return this.#parts.requiresClaim ? 'unclaimed' : 'open';
  }

  get code(): string | undefined {
    return this.state === 'unclaimed' ? this.#code : undefined;
  }

  makeCode(): void {
    this.#code = this.#parts.secrets.randomCode();
  }

  forgetCode(): void {
    this.#code = undefined;
  }

  async claim(code: unknown, choice: UserChoice, origin: Origin): Promise<SignedIn> {
    const { ledger, passwords, sessions, browsers } = this.#parts;
    this.#requireUnclaimed();
    const attempt = { account: `setup code at ${origin.address}`, address: origin.address };
    if (!passwords.allow(attempt, () => this.#isCode(code))) {
      throw new TallybookError('SETUP_REFUSED', 'this is not the setup code of this service');
    }
    const name = parseUserName(choice.name);
    const password = await passwords.hash(choice.password, name);
    return ledger.turn(async () => {
      this.#requireUnclaimed();
      const user: User = { name, role: 'admin', password, createdAt: ledger.now() };
      const { signedIn, changes } = sessions.make(user, origin);
      await ledger.change({ ...changes, putUsers: [user] });
      await ledger.note(name, 'claimed');
      return browsers.markIn(signedIn, user);
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
