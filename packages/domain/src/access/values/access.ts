import { type Role, roles } from './roles.js';
import { type GroupId, parseGroupId } from '../../values/people/group.js';
import { type Day, toDay } from '../../values/day.js';
import { storedFields as valid } from '../../record/values/valid-fields.js';
import { type UserPasskeys, readUserPasskeys } from './passkey.js';
import { type Timestamp, toTimestamp } from '../../values/timestamp.js';

/** The identity that a user is bound to. */
export interface UserIdentity {
  /** URL of the provider; `undefined` until the first sign-in. */
  readonly issuer: string | undefined;
  /**
   * Identifier of the person at the provider. `undefined` if an admin has linked the user without it, until the first
   * sign-in.
   */
  readonly subject: string | undefined;
  /** Whether the provider decides on the role at each sign-in; else admins decide. */
  readonly isRoleGranted: boolean;
}

/** Somebody who may sign in. */
export interface User {
  /** 1 to 64 characters, in lower case: names of users never differ only in case. */
  readonly name: string;
  readonly role: Role;
  /** The groups that the user is bound to, ascending, at least one. Absent: to none. */
  readonly groups?: readonly GroupId[];
  /** Hash of the password, made by `Secrets`; `undefined` for a user who signs in elsewhere. */
  readonly password: string | undefined;
  /** Absent for a user who never began to add a passkey. */
  readonly passkeys?: UserPasskeys;
  readonly createdAt: Timestamp;
  /** Absent for a user who does not sign in with an identity provider. */
  readonly identity?: UserIdentity;
}

/** Credential of a request: a session of a browser, or a token of a program. Its secret is not stored. */
export interface Credential {
  /** Id in lists and for revoking. 16 characters; unrelated to the secret. */
  readonly id: string;
  /** The digest of its secret. */
  readonly digest: string;
  readonly kind: 'session' | 'token';
  /** Role of a token. The role of a session is the role of its user. */
  readonly role: Role;
  /** Name of the user of a session, or of the user who made a token; `undefined` for a token that no user made. */
  readonly user: string | undefined;
  /** Name for people: 1 to 100 characters. For a session, the browser. */
  readonly label: string;
  readonly createdAt: Timestamp;
  /** Time at which it ends; `undefined` for never. */
  readonly expiresAt: Timestamp | undefined;
  /** The last day on which it was used, `undefined` before. */
  readonly lastUsed: Day | undefined;
}

/** A user as JSON, without the name, which is the key in stores. A field without a value is left out. */
export function writeUser({ role, groups, password, passkeys, createdAt, identity }: User): string {
  return JSON.stringify({ role, groups, password, passkeys, createdAt, identity });
}

/**
 * Reads the parsed JSON of {@link writeUser}. Throws if it is not valid.
 *
 * @param value Untrusted: a row may be damaged.
 */
export function readUser(name: string, value: unknown): User {
  const { role, groups, password, passkeys, createdAt, identity } = valid.object(value, 'it');
  return {
    name,
    role: valid.oneOf(role, 'role', roles),
    ...(groups !== undefined && { groups: readGroups(groups) }),
    password: optional(password, (text) => valid.text(text, 'password')),
    ...(passkeys !== undefined && { passkeys: readUserPasskeys(passkeys) }),
    createdAt: toTimestamp(createdAt),
    ...(identity !== undefined && { identity: readUserIdentity(identity) }),
  };
}

const kinds = ['session', 'token'] as const;

/** A credential as JSON, without the id, which is the key in stores. A field without a value is left out. */
export function writeCredential(credential: Credential): string {
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = credential;
  return JSON.stringify({ digest, kind, role, user, label, createdAt, expiresAt, lastUsed });
}

/** Reads the parsed JSON of {@link writeCredential}, as {@link readUser} does. */
export function readCredential(id: string, value: unknown): Credential {
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = valid.object(value, 'it');
  return {
    ...{
      id,
      digest: valid.text(digest, 'digest'),
      kind: valid.oneOf(kind, 'kind', kinds),
      role: valid.oneOf(role, 'role', roles),
    },
    user: optional(user, (text) => valid.text(text, 'user')),
    label: valid.text(label, 'label'),
    createdAt: toTimestamp(createdAt),
    expiresAt: optional(expiresAt, toTimestamp),
    lastUsed: optional(lastUsed, toDay),
  };
}

/** A user whose groups cannot be read must not pass for one who is bound to none. */
function readGroups(value: unknown): readonly GroupId[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new TypeError('groups: must be a list that is not empty');
  return value.map(parseGroupId);
}

function readUserIdentity(value: unknown): UserIdentity {
  const { issuer, subject, isRoleGranted } = valid.object(value, 'it');
  return {
    issuer: optional(issuer, (text) => valid.text(text, 'issuer')),
    subject: optional(subject, (text) => valid.text(text, 'subject')),
    isRoleGranted: valid.boolean(isRoleGranted, 'isRoleGranted'),
  };
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}
