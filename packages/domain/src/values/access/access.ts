import { type Role, roles } from './roles.js';
import { type Day, toDay } from '../day.js';
import { fieldsOf, textOf } from '../json-fields.js';
import { type UserPasskeys, readUserPasskeys } from './passkey.js';
import { type Timestamp, toTimestamp } from '../timestamp.js';

/** The identity that a user is bound to. */
export interface UserIdentity {
  /** The provider; `undefined` until the first sign-in. */
  readonly issuer: string | undefined;
  /** The person there; `undefined` until the first sign-in of a user who is left to the first person with this name. */
  readonly subject: string | undefined;
  /** Whether the provider decides on the role, each time that this person signs in; else admins do. */
  readonly isRoleGranted: boolean;
}

/** Somebody who may sign in. */
export interface User {
  /** 1 to 64 characters, in lower case: no two users differ in case only. */
  readonly name: string;
  readonly role: Role;
  /** Hash of the password, made by `Secrets`; `undefined` for a user who signs in elsewhere. */
  readonly password: string | undefined;
  /** Absent for a user who never began to add one, and whose secret seals nothing. */
  readonly passkeys?: UserPasskeys;
  readonly createdAt: Timestamp;
  /** Absent for a user who does not sign in with an identity provider. */
  readonly identity?: UserIdentity;
}

/** Credential of a request: a session of a browser, or a token of a program. Its secret is not stored. */
export interface Credential {
  /** Names it where it is listed and revoked. 16 characters; says nothing about the secret. */
  readonly id: string;
  /** The digest of its secret. */
  readonly digest: string;
  readonly kind: 'session' | 'token';
  /** Of a token. That of a session is the role of its user. */
  readonly role: Role;
  /** The name of the user that a session belongs to, or who made a token; `undefined` if that was the owner of the process. */
  readonly user: string | undefined;
  /** What people call it: 1 to 100 characters. For a session, the browser. */
  readonly label: string;
  readonly createdAt: Timestamp;
  /** When it ends; `undefined` for never. */
  readonly expiresAt: Timestamp | undefined;
  /** The last day on which it was used, `undefined` before. */
  readonly lastUsed: Day | undefined;
}

/** A user as JSON, without the name, which stores have as the key. A field without a value is left out. */
export function writeUser({ role, password, passkeys, createdAt, identity }: User): string {
  return JSON.stringify({ role, password, passkeys, createdAt, identity });
}

/**
 * Reads what {@link writeUser} wrote, once it is parsed. Throws if it is something else.
 *
 * @param value Untrusted: a row may be damaged.
 */
export function readUser(name: string, value: unknown): User {
  const { role, password, passkeys, createdAt, identity } = fieldsOf(value);
  return {
    name,
    role: readRole(role),
    password: optional(password, textOf),
    ...(passkeys !== undefined && { passkeys: readUserPasskeys(passkeys) }),
    createdAt: toTimestamp(createdAt),
    ...(identity !== undefined && { identity: readUserIdentity(identity) }),
  };
}

/** A credential as JSON, without the id, which stores have as the key. A field without a value is left out. */
export function writeCredential(credential: Credential): string {
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = credential;
  return JSON.stringify({ digest, kind, role, user, label, createdAt, expiresAt, lastUsed });
}

/** Reads what {@link writeCredential} wrote, as {@link readUser} does. */
export function readCredential(id: string, value: unknown): Credential {
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = fieldsOf(value);
  if (kind !== 'session' && kind !== 'token') throw new TypeError('it is neither a session nor a token');
  return {
    ...{ id, digest: textOf(digest), kind, role: readRole(role) },
    user: optional(user, textOf),
    label: textOf(label),
    createdAt: toTimestamp(createdAt),
    expiresAt: optional(expiresAt, toTimestamp),
    lastUsed: optional(lastUsed, toDay),
  };
}

function readUserIdentity(value: unknown): UserIdentity {
  const { issuer, subject, isRoleGranted } = fieldsOf(value);
  if (typeof isRoleGranted !== 'boolean') throw new TypeError('nobody decides on the role');
  return { issuer: optional(issuer, textOf), subject: optional(subject, textOf), isRoleGranted };
}

function readRole(value: unknown): Role {
  const role = roles.find((each) => each === value);
  if (role === undefined) throw new TypeError('there is no such role');
  return role;
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}
