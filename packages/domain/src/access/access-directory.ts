import type { AccessChanges, AccessRecord } from './ports/access-store.js';
import type { Credential, User } from './values/access.js';
import { authorise } from './values/roles.js';
import type { Day } from '../values/day.js';
import type { Timestamp } from '../values/timestamp.js';
import { anyone, hasSameRights, rightsOf, type Principal } from './principal.js';

const MAX_RECENT = 1_000;

/**
 * A session without use for more days than this has ended. The session of a screen on the wall stays, to outlast
 * holidays.
 */
const IDLE_DAYS = 7;

/** A credential, and the principal that it stands for. */
export interface KnownCredential {
  credential: Credential;
  readonly principal: Principal;
}

/** Users, sessions and tokens in memory, each found by its key in one step. */
export class AccessDirectory {
  readonly #users = new Map<string, User>();
  readonly #byDigest = new Map<string, KnownCredential>();
  /** Recently used credentials by the secret itself, which needs no digest. Emptied by each change. */
  readonly #recent = new Map<string, KnownCredential>();
  readonly #byId = new Map<string, KnownCredential>();

  #secret: string | undefined;

  constructor({ users, credentials, secret }: AccessRecord = { users: [], credentials: [] }) {
    this.apply({ putUsers: users, putCredentials: credentials, secret });
  }

  /** The secret of the service; `undefined` before the first change. */
  get secret(): string | undefined {
    return this.#secret;
  }

  /** Ascending by name. */
  get users(): readonly User[] {
    return [...this.#users.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get hasUsers(): boolean {
    return this.#users.size > 0;
  }

  user(name: string): User | undefined {
    return this.#users.get(name);
  }

  /** The credential of a secret. The digest of a secret that is used often is calculated once. */
  find(secret: string, digestOf: (text: string) => string): KnownCredential | undefined {
    const recent = this.#recent.get(secret);
    if (recent !== undefined) return recent;
    const known = this.#byDigest.get(digestOf(secret));
    if (known === undefined) return undefined;
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
    this.#recent.set(secret, known);
    return known;
  }

  byId(id: string): KnownCredential | undefined {
    return this.#byId.get(id);
  }

  /** Latest first. */
  credentials(): readonly Credential[] {
    const all = [...this.#byId.values()].map(({ credential }) => credential);
    return all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  }

  sessionsOf(user: string): readonly Credential[] {
    return this.credentials().filter(
      (credential) => credential.kind === 'session' && credential.user === user,
    );
  }

  /**
   * The credentials that a user loses by removal, or by losing the right to manage access: all sessions, and all tokens
   * except those of devices.
   */
  revocableOf(user: string): readonly Credential[] {
    return this.credentials().filter(
      (credential) => credential.user === user && credential.role !== 'device',
    );
  }

  /**
   * The credentials that end when a user gets a role. Another role, or other groups, end the sessions. Without the right to manage access,
   * the tokens end too, except those of devices.
   */
  endedBy(before: User | undefined, after: User): readonly Credential[] {
    if (before === undefined || hasSameRights(before, after)) return [];
    const mayNoLonger = authorise(before.role, 'manage-access') && !authorise(after.role, 'manage-access');
    return mayNoLonger ? this.revocableOf(before.name) : this.sessionsOf(before.name);
  }

  /**
   * A principal with its present role; `undefined` if its session or token has ended, its user was removed, or the service
   * is not open to `anyone` any more.
   */
  present(by: Principal, now: Timestamp, today: Day): Principal | undefined {
    if (by.credential !== undefined) {
      const known = this.#byId.get(by.credential);
      return known !== undefined && !hasEnded(known.credential, now, today) ? known.principal : undefined;
    }
    if (by === anyone) return this.hasUsers ? undefined : by;
    const user = this.#users.get(by.name);
    // A proxy may name people who are not users here.
    if (user === undefined) return by.user === by.name ? undefined : by;
    const { groups: _, ...rest } = by;
    return { ...rest, ...rightsOf(user) };
  }

  /** Ids of the credentials that have ended. */
  ended(now: Timestamp, today: Day): readonly string[] {
    return this.credentials()
      .filter((credential) => hasEnded(credential, now, today))
      .map(({ id }) => id);
  }

  /** Applies changes as the store does: removals first. */
  apply({
    putUsers = [],
    removeUsers = [],
    putCredentials = [],
    removeCredentials = [],
    secret,
  }: AccessChanges): void {
    this.#secret = secret ?? this.#secret;
    this.#recent.clear();
    for (const name of removeUsers) this.#users.delete(name);
    for (const id of removeCredentials) this.#forget(id);
    for (const user of putUsers) this.#users.set(user.name, user);
    for (const credential of putCredentials) this.#put(credential);
  }

  #put(credential: Credential): void {
    this.#forget(credential.id);
    const principal = this.#principalOf(credential);
    // A session whose user does not exist.
    if (principal === undefined) return;
    const known = { credential, principal };
    this.#byId.set(credential.id, known);
    this.#byDigest.set(credential.digest, known);
  }

  #forget(id: string): void {
    const known = this.#byId.get(id);
    if (known === undefined) return;
    this.#byId.delete(id);
    this.#byDigest.delete(known.credential.digest);
  }

  /**
   * Made once, so that a request only looks it up. It cannot become outdated: the sessions of a user end when the role
   * or the groups change.
   */
  #principalOf({ id, kind, role, label, user: name }: Credential): Principal | undefined {
    if (kind === 'token') {
      const maker = name === undefined ? {} : { user: name };
      return Object.freeze({ role, name: `token ${label}`, credential: id, ...maker });
    }
    const user = name === undefined ? undefined : this.#users.get(name);
    return user && Object.freeze({ ...rightsOf(user), name: user.name, credential: id });
  }
}

/**
 * Whether a credential has ended: its time is over, or it is a session without use for more than {@link IDLE_DAYS},
 * except that of a kiosk.
 */
export function hasEnded(credential: Credential, now: Timestamp, today: Day): boolean {
  const { kind, role, expiresAt, lastUsed } = credential;
  if (expiresAt !== undefined && now >= expiresAt) return true;
  if (kind === 'token' || role === 'kiosk' || lastUsed === undefined) return false;
  return today - lastUsed > IDLE_DAYS;
}
