import { ManagedResource } from '../lifecycle.js';
import type { Subscribable } from '../subscribable.js';
import type { Timestamp } from '../values/timestamp.js';
import { AccessLedger } from './access-ledger.js';
import type { AccessDependencies, AccessOptions, AccessState } from './access-parts.js';
import { CredentialKeeper } from './credentials/credential-keeper.js';
import { Sessions } from './credentials/sessions.js';
import { PasskeyGate } from './passkeys/passkey-gate.js';
import { PasskeyKeeper } from './passkeys/passkey-keeper.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.js';
import { PasswordDesk } from './passwords/password-desk.js';
import { PasswordSignIn } from './passwords/password-sign-in.js';
import { checkIdentityRules } from './provider/identities.js';
import { ProviderDesk } from './provider/provider-desk.js';
import { Seals } from './seals.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { FirstUser } from './users/first-user.js';
import { UserKeeper } from './users/user-keeper.js';

/**
 * Users with their passwords, sessions and tokens, and the first claim of a service.
 *
 * All data is in memory, so that a request waits for nothing. A change is durable before it takes effect. Other servers
 * may write to the same store: each change is decided on the present data of the store. Each server counts attempts to
 * sign in for itself, and makes a setup code of its own.
 *
 * The caller asks {@link authorise} who may do what. Operations that change something for a principal decide it once more
 * on the data on which they decide the change: they reject with `NOT_SIGNED_IN` if its session or token has ended, its user
 * was removed, or `anyone` acts on a service that has users; and with `NOT_ALLOWED` if its role is too small. Nobody sees or
 * revokes credentials of others without `manage-access`.
 *
 * All operations reject as the `AccessStore` does, and with `NOT_OPEN` unless the service is open.
 */
export class AccessService extends ManagedResource {
  /**
   * Emits after each change of users, sessions and tokens, and within a minute after one of them has ended by its time.
   */
  readonly changes: Subscribable<undefined>;
  readonly setup: FirstUser;
  readonly users: UserKeeper;
  readonly credentials: CredentialKeeper;
  readonly passwords: PasswordSignIn;
  readonly passkeys: PasskeyKeeper;
  readonly passkeySignIn: PasskeySignIn;
  readonly provider: ProviderDesk;
  readonly #ledger: AccessLedger;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(dependencies: AccessDependencies, options: AccessOptions = {}) {
    super();
    const { secrets, isCommonPassword, timekeeper, provider, passkeys: verifier } = dependencies;
    const { requiresClaim = false, identityRules: rules = {}, lookMs } = options;
    checkIdentityRules(rules);
    const ledger = new AccessLedger(dependencies, (work) => this.run(work), lookMs);
    const throttle = new SignInThrottle(() => timekeeper.clock.monotonicMs());
    const seals = new Seals(secrets, ledger);
    const sessions = new Sessions(dependencies, ledger);
    const passwords = new PasswordDesk({ secrets, isCommonPassword, ledger, throttle });
    const parts = { secrets, ledger, throttle, seals, sessions, passwords };
    const gate = new PasskeyGate({ ...parts, verifier });
    this.#ledger = ledger;
    this.changes = ledger.changes;
    this.setup = new FirstUser({ ...parts, requiresClaim });
    this.users = new UserKeeper({ passwords, ledger, provider });
    this.credentials = new CredentialKeeper(dependencies, ledger);
    this.passwords = new PasswordSignIn(parts);
    this.passkeys = new PasskeyKeeper(gate);
    this.passkeySignIn = new PasskeySignIn(gate);
    this.provider = new ProviderDesk({ ...parts, provider, rules });
  }

  get state(): AccessState {
    return this.setup.state;
  }

  /** The present time, as far as it is known. It decides which sessions have ended. */
  now(): Timestamp {
    return this.#ledger.now();
  }

  /**
   * Reads the changes of other servers at once: somebody may have signed in there a moment ago. If there are none, it
   * reads only the revision of the store. Rejects as the store does.
   */
  refresh(): Promise<void> {
    return this.run(() => this.#ledger.refresh());
  }

  /**
   * As {@link refresh}, for use just before a right is checked again: it does not wait for changes under way here. If the
   * store cannot be read, what is known here counts: a scan must not be lost, and other writes fail by themselves.
   */
  catchUp(): Promise<void> {
    return this.#ledger.catchUp();
  }

  protected override async onOpen(): Promise<void> {
    await this.#ledger.open();
    this.setup.makeCode();
  }

  protected override async onClose(): Promise<void> {
    this.setup.forgetCode();
    await this.#ledger.close();
  }
}
