import { TallybookError } from '../../errors.js';
import type { AccessLedger } from '../access-ledger.js';
import type { NewPassword, Origin, SignedIn } from '../access-parts.js';
import type { Sessions } from '../credentials/sessions.js';
import type { Principal } from '../principal.js';
import type { Seals } from '../seals.js';
import { accountOf } from '../user-rules.js';
import type { PasswordDesk } from './password-desk.js';

/** What {@link PasswordSignIn} needs. */
export interface PasswordSignInParts {
  readonly passwords: PasswordDesk;
  readonly sessions: Sessions;
  readonly ledger: AccessLedger;
  readonly seals: Seals;
}

/** Actions that need the password: signing in, and changing the password. */
export class PasswordSignIn {
  readonly #parts: PasswordSignInParts;

  /** Made by `AccessService`. */
  constructor(parts: PasswordSignInParts) {
    this.#parts = parts;
  }

  /**
   * Signs somebody in with name and password. Both may be untrusted.
   *
   * Rejects with `SIGN_IN_REFUSED` for an unknown user and for a wrong password, both after the same time. Rejects with
   * `SIGN_IN_TOO_SOON` and `details.retryAfterSeconds` after too many attempts.
   */
  signIn(name: unknown, password: unknown, origin: Origin): Promise<SignedIn> {
    const { passwords, sessions, ledger, seals } = this.#parts;
    return ledger.run(async () => {
      await ledger.refresh();
      const account = accountOf(name);
      const { address, transport } = origin;
      const browser = seals.browserOf(ledger.directory.user(account), origin.knownBrowser);
      const user = await passwords.prove(password, { account, address, browser });
      return ledger.transaction(async () => {
        // The role may have changed while the password was checked.
        const present = passwords.requireSame(user);
        const { signedIn, changes } = sessions.make(present, origin);
        await ledger.begin(changes);
        await ledger.note(user.name, 'signed-in', { transport, address });
        return { ...signedIn, knownBrowser: seals.markOf(user) };
      });
    });
  }

  /**
   * Changes one's own password, and ends the other sessions. Rejects with `SIGN_IN_REFUSED` if the present password is
   * wrong, `SIGN_IN_TOO_SOON`, `INVALID_PASSWORD`, and `NOT_ALLOWED` for a principal that is not a user.
   */
  change(by: Principal, { current, password, address }: NewPassword): Promise<void> {
    const { passwords, ledger } = this.#parts;
    return ledger.run(async () => {
      if (ledger.directory.user(by.name) === undefined) {
        throw new TallybookError('NOT_ALLOWED', 'only a user who is signed in has a password');
      }
      await ledger.refresh();
      const user = await passwords.prove(current, { account: by.name, address });
      const hash = await passwords.hash(password, user.name);
      await ledger.act(by, undefined, async () => {
        const present = passwords.requireSame(user);
        const sessions = ledger.directory.sessionsOf(user.name).filter(({ id }) => id !== by.credential);
        const removeCredentials = sessions.map(({ id }) => id);
        await ledger.change({ putUsers: [{ ...present, password: hash }], removeCredentials });
        await ledger.note(by.name, 'user-changed', { user: user.name, password: true });
      });
    });
  }
}
