import type { Role } from './roles.js';
import type { Day } from '../day.js';
import { fieldsOf, textOf } from '../json-fields.js';
import type { UserPasskeys } from './passkey.js';
import type { Timestamp } from '../timestamp.js';

/** Whom an identity provider has to vouch for. */
export interface UserIdentity {
  /** The provider; `undefined` until the first sign-in. */
  readonly issuer: string | undefined;
  /** Who it is there; `undefined` until the first sign-in, if whoever comes first with the name of the user is it. */
  readonly subject: string | undefined;
  /** Whether the provider decides on the role, each time that this person signs in; else admins do. */
  readonly isRoleGranted: boolean;
}

/** Reads what was written as JSON of {@link UserIdentity}. Throws if it is something else. */
export function readUserIdentity(value: unknown): UserIdentity {
  const { issuer, subject, isRoleGranted } = fieldsOf(value);
  if (typeof isRoleGranted !== 'boolean') throw new TypeError('nobody decides on the role');
  return {
    issuer: issuer === undefined ? undefined : textOf(issuer),
    subject: subject === undefined ? undefined : textOf(subject),
    isRoleGranted,
  };
}

/** Somebody who may sign in. */
export interface User {
  /** 1 to 64 characters, in lower case: no two users differ in case only. */
  readonly name: string;
  readonly role: Role;
  /** What a password is checked against, as `Secrets` made it; `undefined` for who signs in elsewhere. */
  readonly password: string | undefined;
  /** Absent for who never began to add one. */
  readonly passkeys?: UserPasskeys;
  readonly createdAt: Timestamp;
  /** Absent for who does not sign in with an identity provider. */
  readonly identity?: UserIdentity;
}

/** What a request is known by: a session of a browser, or a token of a program. Its secret is nowhere. */
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
  /** From then on it is worth nothing; `undefined` for never. */
  readonly expiresAt: Timestamp | undefined;
  /** The last day on which it was used, `undefined` before. */
  readonly lastUsed: Day | undefined;
}
