import { TallybookError } from '../../errors.js';
import type { AccessLedger } from '../access-ledger.js';
import type { NewPassword, Origin, SignedIn } from '../access-parts.js';
import type { KnownBrowsers } from '../credentials/known-browsers.js';
import type { Sessions } from '../credentials/sessions.js';
import type { Principal } from '../principal.js';
import { accountOf } from '../user-name.js';
import type { PasswordDesk } from './password-desk.js';

/** Actions that need the password: signing in, and changing the password. */
export class PasswordSignIn {
  readonly #passwords: PasswordDesk;
  readonly #sessions: Sessions;
  readonly #ledger: AccessLedger;
  readonly #browsers: KnownBrowsers;

  constructor(passwords: PasswordDesk, sessions: Sessions, ledger: AccessLedger, browsers: KnownBrowsers) {
    this.#passwords = passwords;
    this.#sessions = sessions;
    this.#ledger = ledger;
    this.#browsers = browsers;
  }

  async signIn(name: unknown, password: unknown, origin: Origin): Promise<SignedIn> {
    await this.#ledger.refresh();
    const account = accountOf(name);
    const browser = this.#browsers.find(this.#ledger.directory.user(account), origin.knownBrowser);
    const attempt = { account, address: origin.address, browser };
    const user = await this.#passwords.prove(password, attempt);
    return this.#ledger.turn(async () => {
      // The role may have changed while the password was checked.
      const present = this.#passwords.requireSame(user);
      const { signedIn, changes } = this.#sessions.make(present, origin);
      await this.#ledger.begin(changes);
      await this.#ledger.note(user.name, 'signed-in', {
        transport: origin.transport,
        address: origin.address,
      });
      return this.#browsers.markIn(signedIn, user);
    });
  }

  /** Ends the other sessions. */
  async changePassword(by: Principal, { current, password, address }: NewPassword): Promise<void> {
    if (this.#ledger.directory.user(by.name) === undefined) {
      throw new TallybookError('NOT_ALLOWED', 'only a user who is signed in has a password');
    }
    await this.#ledger.refresh();
    const user = await this.#passwords.prove(current, { account: by.name, address });
    const hash = await this.#passwords.hash(password, user.name);
    await this.#ledger.act(by, undefined, async () => {
      const present = this.#passwords.requireSame(user);
      const sessions = this.#ledger.directory.sessionsOf(user.name).filter(({ id }) => id !== by.credential);
      const removeCredentials = sessions.map(({ id }) => id);
      await this.#ledger.change({ putUsers: [{ ...present, password: hash }], removeCredentials });
      await this.#ledger.note(by.name, 'user-changed', { user: user.name, password: true });
    });
  }
}
