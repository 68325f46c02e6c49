import { TallybookError } from '../errors.js';
import { ManagedResource } from '../lifecycle.js';
import type { Subscribable } from '../subscribable.js';
import type { Credential } from '../values/access/access.js';
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
 * Knows who somebody is: users with their passwords, sessions, tokens, and the first claim of a service.
 *
 * What it knows is in memory, so that a request waits for nothing; a change is durable before it holds. Other servers may
 * write to the same store: each change is decided by what is there. Each server counts attempts to sign in, and makes the
 * setup code, for itself. The caller asks {@link authorise} who may do what; only this is checked here: nobody sees or
 * revokes what belongs to others without `manage-access`.
 *
 * All operations reject as the `AccessStore` does.
 */
export class AccessService extends ManagedResource {
  /** Emits after each change of users, sessions and tokens, also when one has ended by itself: within a minute. */
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
    this.#users = new UserKeeper(passwords, ledger);
    this.#credentials = new CredentialKeeper(secrets, ledger);
    this.#passwordSignIn = new PasswordSignIn(passwords, sessions, ledger, browsers);
    this.passkeys = new PasskeyKeeper(gate);
    this.passkeySignIn = new PasskeySignIn(gate);
    this.#provider = provider && new ProviderDesk({ provider, rules, secrets, throttle, ledger, sessions });
    this.changes = ledger.changes;
  }

  /** What people call the identity provider; `undefined` if there is none. */
  get providerLabel(): string | undefined {
    return this.#provider?.label;
  }

  get state(): AccessState {
    return this.#firstUser.state;
  }

  /** What claims the service: 12 characters, another one after each opening; `undefined` unless it is unclaimed. */
  get setupCode(): string | undefined {
    return this.#firstUser.code;
  }

  /** The present time, as far as it is known, by which sessions end. */
  now(): Timestamp {
    return this.#ledger.now();
  }

  /**
   * Learns at once what other servers have written: somebody may have signed in there a moment ago. Costs a look at the
   * revision of the store if there is nothing new. Rejects as the store does.
   */
  refresh(): Promise<void> {
    return this.run(() => this.#ledger.refresh());
  }

  /** On whose behalf a request comes that shows a secret; `undefined` if the secret is worth nothing. */
  authenticate(kind: Credential['kind'], secret: string): Principal | undefined {
    return this.#credentials.authenticate(kind, secret, this.#timekeeper.now());
  }

  /** Somebody whom a proxy has signed in; `undefined` if there is no such user. */
  userNamed(name: string): Principal | undefined {
    const user = this.#ledger.directory.user(normaliseUserName(name));
    return user && { role: user.role, name: user.name };
  }

  /** When a principal has to sign in again; `undefined` for never. */
  expiryOf(principal: Principal): Timestamp | undefined {
    return this.#credentials.expiryOf(principal);
  }

  /**
   * Signs somebody in with name and password. Both may be untrusted.
   *
   * Rejects with `SIGN_IN_REFUSED` for an unknown user as for a wrong password, after the same time, and with
   * `SIGN_IN_TOO_SOON` and `details.retryAfterSeconds` after too many attempts.
   */
  signIn(name: unknown, password: unknown, origin: Origin): Promise<SignedIn> {
    return this.run(() => this.#passwordSignIn.signIn(name, password, origin));
  }

  /**
   * Begins to sign somebody in at the identity provider. Nothing is kept here; the ticket is sealed.
   *
   * Rejects with `IDENTITY_UNAVAILABLE`, with `NOT_CLAIMED` as long as there is no user, and with `SIGN_IN_TOO_SOON`.
   */
  beginAtProvider(): Promise<ProviderStart> {
    return this.run(() => this.#requireProvider().begin());
  }

  /**
   * Signs in whom the identity provider vouches for: the user who is bound to this person, or one that `identityRules` make.
   * A name alone is never enough for being a user that there is already. Both arguments may be untrusted.
   *
   * Rejects with `IDENTITY_REFUSED` if the answer proves nothing, `IDENTITY_UNKNOWN` and `details.subject` if the person is
   * no user and no role is given, `LAST_ADMIN` if a smaller role would leave nobody who can manage access,
   * `ACCESS_LIMIT_REACHED`, and as {@link beginAtProvider}. A user whose role the provider has taken away loses all
   * sessions, and all tokens but those of devices.
   */
  finishAtProvider(ticket: unknown, answer: unknown, origin: Origin): Promise<SignedInElsewhere> {
    return this.run(() => this.#requireProvider().finish(ticket, answer, origin));
  }

  /**
   * Where somebody signs out at the identity provider too; `undefined` for a user who does not sign in there, and if the
   * provider has no such place. Rejects with `IDENTITY_UNAVAILABLE` and `SIGN_IN_TOO_SOON`.
   *
   * @param hint The `signOutHint` of the session that is to end, and of no other. Without it the provider may ask whether to sign
   * out, or refuse it.
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

  /** Ends the session or token that a principal came with. */
  async signOut(principal: Principal): Promise<void> {
    const { credential } = principal;
    if (credential === undefined) return;
    await this.run(() => this.#credentials.end(principal, credential, 'signed-out'));
  }

  /** Ascending by name. */
  listUsers(): readonly UserView[] {
    return this.#users.list();
  }

  /**
   * Adds a user, or changes role or password of one; the sessions of one that is changed end. All of it may be untrusted.
   *
   * A new user without a role is a `viewer`, but the first one an `admin`. One without a password signs in elsewhere.
   * Rejects with `INVALID_USER`, `INVALID_PASSWORD`, `LAST_ADMIN` if nobody would be left who can manage access,
   * `NOT_ALLOWED` for the own password, which {@link changePassword} changes, and for the own link to the provider, and
   * `ACCESS_LIMIT_REACHED` beyond 1,000.
   */
  putUser(by: Principal, choice: UserChoice): Promise<'added' | 'changed'> {
    return this.run(() => this.#users.put(by, choice));
  }

  /**
   * Removes a user, with passkeys, all sessions and the tokens that the user made. Tokens of devices stay: they read
   * nothing, and the devices hang on walls. Says whether there was one. Rejects with `LAST_ADMIN`.
   */
  removeUser(by: Principal, name: string): Promise<boolean> {
    return this.run(() => this.#users.remove(by, name));
  }

  /**
   * Changes one's own password, and ends the other sessions. Rejects with `SIGN_IN_REFUSED` if the present one is wrong,
   * with `SIGN_IN_TOO_SOON`, `INVALID_PASSWORD`, and `NOT_ALLOWED` for a principal that is no user.
   */
  changePassword(by: Principal, choice: NewPassword): Promise<void> {
    return this.run(() => this.#passwordSignIn.changePassword(by, choice));
  }

  /** The sessions and tokens of a user, or all with the right `manage-access`; latest first. */
  listCredentials(by: Principal, options: { readonly all?: boolean } = {}): readonly CredentialView[] {
    return this.#credentials.list(by, options.all === true);
  }

  /**
   * Makes a token for a program. Its secret is nowhere but in what this resolves with.
   *
   * Rejects with `INVALID_TOKEN`, and `ACCESS_LIMIT_REACHED` beyond 1,000 tokens.
   */
  createToken(by: Principal, choice: TokenChoice): Promise<{ readonly id: string; readonly token: string }> {
    return this.run(() => this.#credentials.createToken(by, choice));
  }

  /** Ends a session or a token, and says whether there was one that this principal may end. */
  revoke(by: Principal, id: string): Promise<boolean> {
    return this.run(() => this.#credentials.end(by, id, 'credential-revoked'));
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
