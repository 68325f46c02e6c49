import { TallybookError } from '../errors.js';
import { ManagedResource } from '../lifecycle.js';
import type { AccessChanges } from '../ports/access/access-store.js';
import type { Subscribable } from '../subscribable.js';
import type { Credential, User } from '../values/access/access.js';
import type { AuditAction } from '../values/audit.js';
import { authorise, type Role } from '../values/access/roles.js';
import { toTimestamp, type Timestamp } from '../values/timestamp.js';
import { hasEnded } from './access-directory.js';
import { AccessLedger } from './access-ledger.js';
import { ID_LENGTH, limitReached } from './access-limits.js';
import type {
  AccessDependencies,
  AccessOptions,
  AccessState,
  CredentialView,
  NewPassword,
  Origin,
  ProviderStart,
  SignedIn,
  UserChoice,
  UserView,
} from './access-parts.js';
import { PasskeyGate } from './passkeys/passkey-gate.js';
import { PasskeyKeeper } from './passkeys/passkey-keeper.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.js';
import { PasswordDesk } from './passwords/password-desk.js';
import type { Principal } from './principal.js';
import { checkIdentityRules } from './provider/identity-rules.js';
import { linkAfter, parseLink, type Link } from './provider/link.js';
import { ProviderDesk } from './provider/provider-desk.js';
import { PROVIDER_SESSION_SECONDS, sessionSeconds } from './session-length.js';
import { normaliseSetupCode } from './users/setup-code.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { cleanLabel, parseRole, parseTokenChoice, type TokenChoice } from './credentials/token-choice.js';
import { accountOf, normaliseUserName, parseUserName } from './user-name.js';

/** Longer ones are not looked at. */
const SECRET_MAX_LENGTH = 100;
const TOKEN_PREFIX = 'tb_';
const SECONDS_PER_DAY = 86_400;
const MAX_USERS = 1_000;
const MAX_TOKENS = 1_000;
/** Of one user; with one more, the oldest ends. */
const MAX_SESSIONS = 50;

/**
 * Knows who somebody is: users with their passwords, sessions, tokens, and the first claim of a service.
 *
 * What it knows is in memory, so that a request waits for nothing; a change is durable before it holds. Other servers may
 * write to the same store: each change is decided upon what is there. Attempts to sign in are counted, and the setup code is
 * made, by each server for itself. Who may do what is
 * in {@link authorise}, and is for the caller to ask, except that nobody sees or revokes what belongs to others without
 * `manage-access`.
 *
 * All operations reject as the `AccessStore` does.
 */
export class AccessService extends ManagedResource {
  /** Emits after each change of users, sessions and tokens, also when one has ended by itself: within a minute. */
  readonly changes: Subscribable<undefined>;
  readonly passkeys: PasskeyKeeper;
  readonly passkeySignIn: PasskeySignIn;
  readonly #parts: AccessDependencies;
  readonly #requiresClaim: boolean;
  readonly #digest: (text: string) => string;
  readonly #ledger: AccessLedger;
  readonly #passwords: PasswordDesk;
  readonly #provider: ProviderDesk | undefined;
  #setupCode: string | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(parts: AccessDependencies, options: AccessOptions = {}) {
    super();
    this.#parts = parts;
    this.#requiresClaim = options.requiresClaim ?? false;
    this.#digest = (text) => parts.secrets.digest(text);
    this.#ledger = new AccessLedger(parts, options.lookMs);
    const throttle = new SignInThrottle(() => parts.timekeeper.clock.monotonicMs());
    this.#passwords = new PasswordDesk(parts.secrets, this.#ledger, throttle);
    const gate = new PasskeyGate({
      ...{ verifier: parts.passkeys, secrets: parts.secrets, ledger: this.#ledger },
      ...{ passwords: this.#passwords, throttle },
      newSession: (user, origin) => this.#newSession(user, origin),
      run: (work) => this.run(work),
    });
    this.passkeys = new PasskeyKeeper(gate);
    this.passkeySignIn = new PasskeySignIn(gate);
    this.#provider = this.#providerDesk(options, throttle);
    this.changes = this.#ledger.changes;
  }

  /** What people call the identity provider; `undefined` if there is none. */
  get providerLabel(): string | undefined {
    return this.#provider?.label;
  }

  get state(): AccessState {
    if (this.#ledger.directory.hasUsers) return 'claimed';
    return this.#requiresClaim ? 'unclaimed' : 'open';
  }

  /** What claims the service: 12 characters, another one after each opening; `undefined` unless it is unclaimed. */
  get setupCode(): string | undefined {
    return this.state === 'unclaimed' ? this.#setupCode : undefined;
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
    if (secret.length > SECRET_MAX_LENGTH) return undefined;
    const known = this.#ledger.directory.find(secret, this.#digest);
    if (known?.credential.kind !== kind) return undefined;
    const now = this.#parts.timekeeper.now();
    const today = this.#ledger.dayOf(now);
    if (hasEnded(known.credential, now, today)) return undefined;
    if (known.credential.lastUsed !== today) this.#ledger.noteUse(known, today);
    return known.principal;
  }

  /** Somebody whom a proxy has signed in; `undefined` if there is no such user. */
  userNamed(name: string): Principal | undefined {
    const user = this.#ledger.directory.user(normaliseUserName(name));
    return user && { role: user.role, name: user.name };
  }

  /** When a principal has to sign in again; `undefined` for never. */
  expiryOf({ credential }: Principal): Timestamp | undefined {
    return credential === undefined
      ? undefined
      : this.#ledger.directory.byId(credential)?.credential.expiresAt;
  }

  /**
   * Signs somebody in with name and password. Both may be untrusted.
   *
   * Rejects with `SIGN_IN_REFUSED` for an unknown user as for a wrong password, after the same time, and with
   * `SIGN_IN_TOO_SOON` and `details.retryAfterSeconds` after too many attempts.
   */
  signIn(name: unknown, password: unknown, origin: Origin): Promise<SignedIn> {
    return this.run(async () => {
      await this.#ledger.refresh();
      const attempt = { account: accountOf(name), address: origin.address };
      const user = await this.#passwords.prove(password, attempt);
      return this.#ledger.turn(async () => {
        this.#passwords.requireSame(user);
        const { signedIn, changes } = this.#newSession(user, origin);
        await this.#ledger.change(changes);
        await this.#ledger.note(user.name, 'signed-in', {
          transport: origin.transport,
          address: origin.address,
        });
        return signedIn;
      });
    });
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
   * `ACCESS_LIMIT_REACHED`, and as {@link beginAtProvider}. Whom the provider has taken the role from has no session any more,
   * and no token but those of devices.
   */
  finishAtProvider(ticket: unknown, answer: unknown, origin: Origin): Promise<SignedIn> {
    return this.run(() => this.#requireProvider().finish(ticket, answer, origin));
  }

  /**
   * Where somebody signs out at the identity provider too; `undefined` for who does not sign in there, and if it has no such
   * place. Rejects with `IDENTITY_UNAVAILABLE` and `SIGN_IN_TOO_SOON`.
   */
  providerSignOutUrl({ name }: Principal): Promise<string | undefined> {
    return this.run(async () => this.#provider?.signOutUrl(name));
  }

  /**
   * Makes the first user, an `admin`, for who knows the setup code, and signs in.
   *
   * Rejects with `SETUP_REFUSED`, `ALREADY_CLAIMED`, `SIGN_IN_TOO_SOON`, `INVALID_USER` and `INVALID_PASSWORD`.
   */
  claim(code: unknown, choice: UserChoice, origin: Origin): Promise<SignedIn> {
    return this.run(async () => {
      this.#requireUnclaimed();
      const attempt = { account: `setup code at ${origin.address}`, address: origin.address };
      if (!this.#passwords.allow(attempt, () => this.#isSetupCode(code))) {
        throw new TallybookError('SETUP_REFUSED', 'this is not the setup code of this service');
      }
      const name = parseUserName(choice.name);
      const password = await this.#passwords.hash(choice.password, name);
      return this.#ledger.turn(async () => {
        this.#requireUnclaimed();
        const user: User = { name, role: 'admin', password, createdAt: this.#ledger.now() };
        const { signedIn, changes } = this.#newSession(user, origin);
        await this.#ledger.change({ ...changes, putUsers: [user] });
        await this.#ledger.note(name, 'claimed');
        return signedIn;
      });
    });
  }

  /** Ends the session or token that a principal came with. */
  async signOut(principal: Principal): Promise<void> {
    const { credential } = principal;
    if (credential !== undefined) await this.#revoke(principal, credential, 'signed-out');
  }

  /** Ascending by name. */
  listUsers(): readonly UserView[] {
    return this.#ledger.directory.users.map(({ name, role, createdAt, password, identity }) => ({
      ...{ name, role, createdAt },
      hasPassword: password !== undefined,
      ...(identity !== undefined && { identity }),
    }));
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
    return this.run(async () => {
      const name = parseUserName(choice.name);
      const role = choice.role === undefined ? undefined : parseRole(choice.role);
      const { password } = choice;
      if (password !== undefined && by.credential !== undefined && by.name === name) {
        throw new TallybookError('NOT_ALLOWED', 'your own password is changed by showing the present one');
      }
      const link = parseLink(choice);
      if (link.provider !== undefined && by.credential !== undefined && by.name === name) {
        throw new TallybookError(
          'NOT_ALLOWED',
          'another admin decides on how you sign in, or the command line',
        );
      }
      const hash = password === undefined ? undefined : await this.#passwords.hash(password, name);
      return this.#ledger.turn(() => this.#putUser(by, { name, role, hash, link }));
    });
  }

  /**
   * Removes a user, with passkeys, all sessions and the tokens that the user made, but for those of devices: they read
   * nothing, and hang on walls. Says whether there was one. Rejects with `LAST_ADMIN`.
   */
  removeUser(by: Principal, name: string): Promise<boolean> {
    return this.run(() =>
      this.#ledger.turn(async () => {
        const user = this.#ledger.directory.user(accountOf(name));
        if (user === undefined) return false;
        this.#requireOtherAdmin(user);
        const gone = this.#ledger.directory
          .credentials()
          .filter((credential) => credential.user === user.name && credential.role !== 'device');
        await this.#ledger.change({ removeUsers: [user.name], removeCredentials: gone.map(({ id }) => id) });
        await this.#ledger.note(by.name, 'user-removed', { user: user.name });
        return true;
      }),
    );
  }

  /**
   * Changes the own password, and ends the other sessions. Rejects with `SIGN_IN_REFUSED` if the present one is wrong, with
   * `SIGN_IN_TOO_SOON`, `INVALID_PASSWORD`, and `NOT_ALLOWED` for a principal that is no user.
   */
  changePassword(by: Principal, { current, password, address }: NewPassword): Promise<void> {
    return this.run(async () => {
      if (this.#ledger.directory.user(by.name) === undefined) {
        throw new TallybookError('NOT_ALLOWED', 'only a user who is signed in has a password');
      }
      await this.#ledger.refresh();
      const user = await this.#passwords.prove(current, { account: by.name, address });
      const hash = await this.#passwords.hash(password, user.name);
      await this.#ledger.turn(async () => {
        const present = this.#passwords.requireSame(user);
        const sessions = this.#ledger.directory
          .sessionsOf(user.name)
          .filter(({ id }) => id !== by.credential);
        const removeCredentials = sessions.map(({ id }) => id);
        await this.#ledger.change({ putUsers: [{ ...present, password: hash }], removeCredentials });
        await this.#ledger.note(by.name, 'user-changed', { user: user.name, password: true });
      });
    });
  }

  /** The sessions and tokens of a user, or all for who manages access; latest first. */
  listCredentials(by: Principal, options: { readonly all?: boolean } = {}): readonly CredentialView[] {
    const all = options.all === true && authorise(by.role, 'manage-access');
    return this.#ledger.directory
      .credentials()
      .filter((credential) => all || isOf(by, credential))
      .map(viewOf);
  }

  /**
   * Makes a token for a program. Its secret is nowhere but in what this resolves with.
   *
   * Rejects with `INVALID_TOKEN`, and `ACCESS_LIMIT_REACHED` beyond 1,000 tokens.
   */
  createToken(by: Principal, choice: TokenChoice): Promise<{ readonly id: string; readonly token: string }> {
    return this.run(async () => {
      const { label, role, days } = parseTokenChoice(choice);
      return this.#ledger.turn(async () => {
        const { directory } = this.#ledger;
        const tokens = directory.credentials().filter(({ kind }) => kind === 'token');
        if (tokens.length >= MAX_TOKENS) throw limitReached(`${MAX_TOKENS} tokens`);
        const now = this.#ledger.now();
        const token = `${TOKEN_PREFIX}${this.#parts.secrets.random()}`;
        const credential: Credential = {
          ...{ id: this.#newId(), digest: this.#parts.secrets.digest(token), kind: 'token', role, label },
          user: directory.user(by.name)?.name,
          createdAt: now,
          expiresAt: days === undefined ? undefined : toTimestamp(now + days * SECONDS_PER_DAY),
          lastUsed: undefined,
        };
        await this.#ledger.change({ putCredentials: [credential] });
        await this.#ledger.note(by.name, 'token-added', { id: credential.id, label, role });
        return { id: credential.id, token };
      });
    });
  }

  /** Ends a session or a token, and says whether there was one that this principal may end. */
  revoke(by: Principal, id: string): Promise<boolean> {
    return this.#revoke(by, id, 'credential-revoked');
  }

  protected override async onOpen(): Promise<void> {
    await this.#ledger.open();
    this.#setupCode = this.#parts.secrets.randomCode();
  }

  protected override async onClose(): Promise<void> {
    this.#setupCode = undefined;
    await this.#ledger.close();
  }

  #providerDesk(
    { identityRules: rules = {} }: AccessOptions,
    throttle: SignInThrottle,
  ): ProviderDesk | undefined {
    const { provider, secrets } = this.#parts;
    checkIdentityRules(rules);
    return (
      provider &&
      new ProviderDesk({
        ...{ provider, rules, secrets, throttle, ledger: this.#ledger },
        newSession: (user, origin) => this.#newSession(user, origin, PROVIDER_SESSION_SECONDS),
        requireOtherAdmin: (user) => this.#requireOtherAdmin(user),
      })
    );
  }

  #requireProvider(): ProviderDesk {
    if (this.#provider !== undefined) return this.#provider;
    throw new TallybookError('IDENTITY_UNAVAILABLE', 'this service has no identity provider');
  }

  async #putUser(
    by: Principal,
    {
      name,
      role: newRole,
      hash,
      link,
    }: {
      readonly name: string;
      readonly role: Role | undefined;
      readonly hash: string | undefined;
      readonly link: Link;
    },
  ): Promise<'added' | 'changed'> {
    const { directory } = this.#ledger;
    const before = directory.user(name);
    if (before === undefined && directory.users.length >= MAX_USERS) throw limitReached(`${MAX_USERS} users`);
    const role = newRole ?? before?.role ?? (directory.hasUsers ? 'viewer' : 'admin');
    if (!directory.hasUsers && role !== 'admin') {
      throw new TallybookError('LAST_ADMIN', 'the first user is an admin: somebody has to manage access');
    }
    if (before !== undefined && role !== 'admin') this.#requireOtherAdmin(before);
    const identity = linkAfter(link, name, directory.users);
    if (identity?.isRoleGranted === true && role !== before?.role) {
      throw new TallybookError(
        'INVALID_USER',
        `the identity provider gives ${name} the role; with "provider": true it is given here from now on`,
      );
    }
    const user: User = {
      ...(before?.passkeys !== undefined && { passkeys: before.passkeys }),
      ...{ name, role, password: hash ?? before?.password },
      createdAt: before?.createdAt ?? this.#ledger.now(),
      ...(identity !== undefined && { identity }),
    };
    const isRelinked = link.provider !== undefined && identity?.subject !== before?.identity?.subject;
    const ends = before !== undefined && (hash !== undefined || role !== before.role || isRelinked);
    const sessions = ends ? directory.sessionsOf(name) : [];
    await this.#ledger.change({ putUsers: [user], removeCredentials: sessions.map(({ id }) => id) });
    const action = before === undefined ? 'user-added' : 'user-changed';
    await this.#ledger.note(by.name, action, {
      ...{ user: name, role, password: hash !== undefined },
      ...(link.provider !== undefined && { provider: link.provider }),
      ...(link.subject !== undefined && { subject: link.subject }),
    });
    return before === undefined ? 'added' : 'changed';
  }

  #revoke(by: Principal, id: string, action: AuditAction): Promise<boolean> {
    return this.run(() =>
      this.#ledger.turn(async () => {
        const credential = this.#ledger.directory.byId(id)?.credential;
        if (credential === undefined) return false;
        if (!isOf(by, credential) && !authorise(by.role, 'manage-access')) return false;
        await this.#ledger.change({ removeCredentials: [id] });
        const { kind, label, user } = credential;
        const whose: Readonly<Record<string, string>> = kind === 'token' ? { label } : { user: user ?? '' };
        await this.#ledger.note(by.name, action, action === 'signed-out' ? {} : { id, kind, ...whose });
        return true;
      }),
    );
  }

  #newSession(
    { name, role }: User,
    { transport, label }: Origin,
    seconds: number = sessionSeconds(role, transport),
  ): { readonly signedIn: SignedIn; readonly changes: AccessChanges } {
    const now = this.#ledger.now();
    const secret = this.#parts.secrets.random();
    const expiresAt = toTimestamp(now + seconds);
    const credential: Credential = {
      ...{ id: this.#newId(), digest: this.#parts.secrets.digest(secret), kind: 'session', role, user: name },
      ...{ label: cleanLabel(label) || 'unknown', createdAt: now, expiresAt },
      lastUsed: this.#parts.calendar.dayOf(now),
    };
    const surplus = this.#ledger.directory.sessionsOf(name).slice(MAX_SESSIONS - 1);
    return {
      signedIn: { secret, principal: { role, name, credential: credential.id }, expiresAt },
      changes: { putCredentials: [credential], removeCredentials: surplus.map(({ id }) => id) },
    };
  }

  #isSetupCode(code: unknown): boolean {
    const { secrets } = this.#parts;
    if (typeof code !== 'string' || this.#setupCode === undefined) return false;
    // Digests, so that the time says nothing about how much of it was right.
    return secrets.digest(normaliseSetupCode(code)) === secrets.digest(this.#setupCode);
  }

  #requireUnclaimed(): void {
    if (this.state === 'claimed') {
      throw new TallybookError('ALREADY_CLAIMED', 'this service has users already; sign in');
    }
    if (this.state === 'open') {
      throw new TallybookError('SETUP_REFUSED', 'this service is open to everybody; add a user instead');
    }
  }

  #requireOtherAdmin(user: User): void {
    const others = this.#ledger.directory.users.filter(
      ({ name, role }) => role === 'admin' && name !== user.name,
    );
    if (user.role === 'admin' && others.length === 0) {
      throw new TallybookError('LAST_ADMIN', 'this is the last admin: make somebody else one first');
    }
  }

  #newId(): string {
    return this.#parts.secrets.random().slice(0, ID_LENGTH);
  }
}

/** A token is no user: it has nothing but itself. */
function isOf(by: Principal, { id, user }: Credential): boolean {
  return id === by.credential || (user !== undefined && user === by.name);
}

function viewOf({ id, kind, role, user, label, createdAt, expiresAt, lastUsed }: Credential): CredentialView {
  return { id, kind, role, user, label, createdAt, expiresAt, lastUsed };
}
