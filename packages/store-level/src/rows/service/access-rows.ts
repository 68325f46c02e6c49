import {
  readUserIdentity,
  readUserPasskeys,
  roles,
  toDay,
  toTimestamp,
  type Credential,
  type Role,
  type User,
} from '@tallybook/domain';
import { CREDENTIAL, textKey, textOfKey, USER } from '../keys.js';
import { parseObject, readText, type Unchecked } from './json-value.js';

/*
 * Rows of users and of credentials: the name or the id is in the key, everything else is JSON. A field that has no value
 * is left out.
 */

export function userKey(name: string): Buffer {
  return textKey(USER, name);
}

export function credentialKey(id: string): Buffer {
  return textKey(CREDENTIAL, id);
}

export function encodeUser({ role, password, passkeys, createdAt, identity }: User): Buffer {
  return Buffer.from(JSON.stringify({ role, password, passkeys, createdAt, identity }));
}

/** Throws if it is no row of a user. */
export function decodeUser(key: Buffer, value: Buffer): User {
  const { role, password, passkeys, createdAt, identity }: Unchecked<User> = parseObject(value);
  return {
    name: textOfKey(key),
    role: readRole(role),
    password: password === undefined ? undefined : readText(password),
    ...(passkeys === undefined ? {} : { passkeys: readUserPasskeys(passkeys) }),
    createdAt: toTimestamp(createdAt),
    ...(identity !== undefined && { identity: readUserIdentity(identity) }),
  };
}

export function encodeCredential(credential: Credential): Buffer {
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = credential;
  return Buffer.from(JSON.stringify({ digest, kind, role, user, label, createdAt, expiresAt, lastUsed }));
}

/** Throws if it is no row of a credential. */
export function decodeCredential(key: Buffer, value: Buffer): Credential {
  const fields: Unchecked<Credential> = parseObject(value);
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = fields;
  if (kind !== 'session' && kind !== 'token') throw new TypeError('it is neither a session nor a token');
  return {
    id: textOfKey(key),
    digest: readText(digest),
    kind,
    role: readRole(role),
    user: user === undefined ? undefined : readText(user),
    label: readText(label),
    createdAt: toTimestamp(createdAt),
    expiresAt: expiresAt === undefined ? undefined : toTimestamp(expiresAt),
    lastUsed: lastUsed === undefined ? undefined : toDay(lastUsed),
  };
}

function readRole(value: unknown): Role {
  const role = roles.find((each) => each === value);
  if (role === undefined) throw new TypeError('there is no such role');
  return role;
}
