import { TallybookError } from '../errors.js';
import { ManagedResource } from '../lifecycle.js';
import type { Subscribable } from '../subscribable.js';
import type { Credential } from './values/access.js';
import type { Timestamp } from '../values/timestamp.js';
import { AccessLedger } from './access-ledger.js';
import type {
  AccessDependencies,
  AccessOptions,
  AccessState,
  CredentialView,
  NewPassword,
  Origin,
  ProviderStart,
  SignedIn,
  SignedInElsewhere,
  UserChoice,
  UserView,
} from './access-parts.js';
import { CredentialKeeper } from './credentials/credential-keeper.js';
import { KnownBrowsers } from './credentials/known-browsers.js';
import { Sessions } from './credentials/sessions.js';
import type { TokenChoice } from './credentials/token-choice.js';
import { PasskeyGate } from './passkeys/passkey-gate.js';
import { PasskeyKeeper } from './passkeys/passkey-keeper.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.js';
import { PasswordDesk } from './passwords/password-desk.js';
import { PasswordSignIn } from './passwords/password-sign-in.js';
import type { Principal } from './principal.js';
import { checkIdentityRules } from './provider/identity-rules.js';
import { ProviderDesk } from './provider/provider-desk.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { normaliseUserName } from './user-name.js';
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
 * All operations reject as the `AccessStore` does.
 */
export class AccessService extends ManagedResource {
  /**
   * Emits after each change of users, sessions and tokens, and within a minute after one of them has ended by its time.
   */
  readonly changes: Subscribable<undefined>;
  readonly passkeys: PasskeyKeeper;
  readonly passkeySignIn: PasskeySignIn;
  readonly #timekeeper: AccessDependencies['timekeeper'];
  readonly #ledger: AccessLedger;
  readonly #firstUser: FirstUser;
  readonly #users: UserKeeper;
  readonly #credentials: CredentialKeeper;
  readonly #passwordSignIn: PasswordSignIn;
  readonly #provider: ProviderDesk | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(parts: AccessDependencies, options: AccessOptions = {}) {
    super();
    const { secrets, timekeeper, provider, passkeys: verifier } = parts;
    const { requiresClaim = false, identityRules: rules = {}, lookMs } = options;
    checkIdentityRules(rules);
    const ledger = new AccessLedger(parts, lookMs);
    const browsers = new KnownBrowsers(secrets);
    const sessions = new Sessions(parts, ledger);
    const throttle = new SignInThrottle(() => timekeeper.clock.monotonicMs());
    const passwords = new PasswordDesk(secrets, ledger, throttle);
    const run = <T>(work: () => Promise<T>): Promise<T> => this.run(work);
    const gate = new PasskeyGate({ verifier, secrets, ledger, passwords, throttle, sessions, run });
    this.#timekeeper = timekeeper;
    this.#ledger = ledger;
    this.#firstUser = new FirstUser({ secrets, ledger, passwords, sessions, browsers, requiresClaim });
    this.#users = new UserKeeper(passwords, ledger, provider !== undefined);
    this.#credentials = new CredentialKeeper(secrets, ledger);
    this.#passwordSignIn = new PasswordSignIn(passwords, sessions, ledger, browsers);
    this.passkeys = new PasskeyKeeper(gate);
    this.passkeySignIn = new PasskeySignIn(gate);
    this.#provider = provider && new ProviderDesk({ provider, rules, secrets, throttle, ledger, sessions });
    this.changes = ledger.changes;
  }

  /** Name of the identity provider for people; `undefined` if there is none. */
  get providerLabel(): string | undefined {
    return this.#provider?.label;
  }

  get state(): AccessState {
    return this.#firstUser.state;
  }

  /**
   * Code that claims the service: 12 characters, a new one after each opening. `undefined` unless the service is
   * unclaimed.
   */
  get setupCode(): string | undefined {
    return this.#firstUser.code;
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
  async catchUp(): Promise<void> {
    await this.#ledger.catchUp();
  }

  /** The principal of a request that shows a secret; `undefined` if the secret is not valid. */
  authenticate(kind: Credential['kind'], secret: string): Principal | undefined {
    return this.#credentials.authenticate(kind, secret, this.#timekeeper.now());
  }

  /** The principal of a user whom a proxy has signed in; `undefined` if there is no such user. */
  userNamed(name: string): Principal | undefined {
    const user = this.#ledger.directory.user(normaliseUserName(name));
    return user && { role: user.role, name: user.name, user: user.name };
  }

  /** When a principal has to sign in again; `undefined` for never. */
  expiryOf(principal: Principal): Timestamp | undefined {
    return this.#credentials.expiryOf(principal);
  }

  /**
   * Signs somebody in with name and password. Both may be untrusted.
   *
   * Rejects with `SIGN_IN_REFUSED` for an unknown user and for a wrong password, both after the same time. Rejects with
   * `SIGN_IN_TOO_SOON` and `details.retryAfterSeconds` after too many attempts.
   */
  signIn(name: unknown, password: unknown, origin: Origin): Promise<SignedIn> {
    return this.run(() => this.#passwordSignIn.signIn(name, password, origin));
  }

  /**
   * Begins to sign somebody in at the identity provider. The server keeps nothing of it; the ticket is sealed.
   *
   * Rejects with `IDENTITY_UNAVAILABLE`, with `NOT_CLAIMED` as long as there is no user, and with `SIGN_IN_TOO_SOON`.
   */
  beginAtProvider(): Promise<ProviderStart> {
    return this.run(() => this.#requireProvider().begin());
  }

  /**
   * Signs in the person that the identity provider confirms, as the user who is bound to this person, or as a new user by
   * `identityRules`. The name alone never makes a person an existing user. Ticket and answer may be untrusted.
   *
   * Rejects with `IDENTITY_REFUSED` if the answer proves nothing; `IDENTITY_UNKNOWN` and `details.subject` if the person is
   * no user and cannot become one; `LAST_ADMIN` if nobody else could manage access after this user gets a smaller role;
   * `ACCESS_LIMIT_REACHED`; and as {@link beginAtProvider}. A user whose role the provider has taken away loses all
   * sessions, and all tokens except those of devices.
   */
  finishAtProvider(ticket: unknown, answer: unknown, origin: Origin): Promise<SignedInElsewhere> {
    return this.run(() => this.#requireProvider().finish(ticket, answer, origin));
  }

  /**
   * URL for signing out at the identity provider too; `undefined` for a user who does not sign in there, or if the provider has
   * no such URL. Rejects with `IDENTITY_UNAVAILABLE` and `SIGN_IN_TOO_SOON`.
   *
   * @param hint The `signOutHint` of the session that ends, not of another session. Without it, the provider may ask whether to
   * sign out, or refuse.
   */
  providerSignOutUrl({ name }: Principal, hint?: string): Promise<string | undefined> {
    return this.run(async () => this.#provider?.signOutUrl(name, hint));
  }

  /**
   * Makes the first user, an `admin`, by the setup code, and signs in.
   *
   * Rejects with `SETUP_REFUSED`, `ALREADY_CLAIMED`, `SIGN_IN_TOO_SOON`, `INVALID_USER` and `INVALID_PASSWORD`.
   */
  claim(code: unknown, choice: UserChoice, origin: Origin): Promise<SignedIn> {
    return this.run(() => this.#firstUser.claim(code, choice, origin));
  }

  /** Ends the session or token of a principal. */
  signOut(principal: Principal): Promise<void> {
    return this.run(() => this.#credentials.signOut(principal));
  }

  /** Ascending by name. */
  listUsers(): readonly UserView[] {
    return this.#users.list();
  }

  /**
   * Adds a user, or changes role, password or link to the provider. Another role, password or subject at the provider
   * ends the sessions of the user. The choice may be untrusted.
   *
   * A new user without a role becomes a `viewer`; the first user becomes an `admin`. A user without a password signs in
   * by a proxy or at the provider. Rejects with `INVALID_USER`; `INVALID_PASSWORD`; `USER_EXISTS` if the user is to be
   * new, and there is one of this name; `LAST_ADMIN` if nobody could manage access any more, as when `anyone` adds a first
   * user without a password and without a link to a provider of this service; `NOT_ALLOWED` for one's own
   * password, which {@link changePassword} changes, and for one's own link to the provider; and `ACCESS_LIMIT_REACHED`
   * beyond 1,000 users.
   */
  putUser(by: Principal, choice: UserChoice): Promise<'added' | 'changed'> {
    return this.run(() => this.#users.put(by, choice));
  }

  /**
   * Removes a user, with passkeys, all sessions and the tokens that the user made. Tokens of devices stay: they cannot
   * read data, and a device on a wall does not easily get a new one. Says whether there was such a user. Rejects with
   * `LAST_ADMIN`.
   */
  removeUser(by: Principal, name: string): Promise<boolean> {
    return this.run(() => this.#users.remove(by, name));
  }

  /**
   * Changes one's own password, and ends the other sessions. Rejects with `SIGN_IN_REFUSED` if the present password is
   * wrong, `SIGN_IN_TOO_SOON`, `INVALID_PASSWORD`, and `NOT_ALLOWED` for a principal that is no user.
   */
  changePassword(by: Principal, choice: NewPassword): Promise<void> {
    return this.run(() => this.#passwordSignIn.changePassword(by, choice));
  }

  /** The sessions and tokens of a user; those of all users with `all` and the right `manage-access`. Latest first. */
  listCredentials(by: Principal, options: { readonly all?: boolean } = {}): readonly CredentialView[] {
    return this.#credentials.list(by, options.all === true);
  }

  /**
   * Makes a token for a program. Only this result holds its secret.
   *
   * Rejects with `INVALID_TOKEN`, and `ACCESS_LIMIT_REACHED` beyond 1,000 tokens.
   */
  createToken(by: Principal, choice: TokenChoice): Promise<{ readonly id: string; readonly token: string }> {
    return this.run(() => this.#credentials.createToken(by, choice));
  }

  /** Ends a session or a token, and says whether there was one that this principal may end. */
  revoke(by: Principal, id: string): Promise<boolean> {
    return this.run(() => this.#credentials.revoke(by, id));
  }

  protected override async onOpen(): Promise<void> {
    await this.#ledger.open();
    this.#firstUser.makeCode();
  }

  protected override async onClose(): Promise<void> {
    this.#firstUser.forgetCode();
    await this.#ledger.close();
  }

  #requireProvider(): ProviderDesk {
    if (this.#provider !== undefined) return this.#provider;
    throw new TallybookError('IDENTITY_UNAVAILABLE', 'this service has no identity provider');
  }
}
