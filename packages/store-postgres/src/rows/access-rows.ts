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
import { parseObject, readRow, readText, type Unchecked } from './json-row.js';

export function bodyOfUser({ role, password, passkeys, createdAt, identity }: User): string {
  return JSON.stringify({ role, password, passkeys, createdAt, identity });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toUser(name: string, body: string): User {
  return readRow(`the row of the user ${name}`, () => {
    const { role, password, passkeys, createdAt, identity }: Unchecked<User> = parseObject(body);
    return {
      name,
      role: readRole(role),
      password: password === undefined ? undefined : readText(password),
      ...(passkeys === undefined ? {} : { passkeys: readUserPasskeys(passkeys) }),
      createdAt: toTimestamp(createdAt),
      ...(identity !== undefined && { identity: readUserIdentity(identity) }),
    };
  });
}

export function bodyOfCredential(credential: Credential): string {
  const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = credential;
  return JSON.stringify({ digest, kind, role, user, label, createdAt, expiresAt, lastUsed });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toCredential(id: string, body: string): Credential {
  return readRow(`the row of the session or token ${id}`, () => {
    const fields: Unchecked<Credential> = parseObject(body);
    const { digest, kind, role, user, label, createdAt, expiresAt, lastUsed } = fields;
    if (kind !== 'session' && kind !== 'token') throw new TypeError('it is neither a session nor a token');
    return {
      id,
      digest: readText(digest),
      kind,
      role: readRole(role),
      user: user === undefined ? undefined : readText(user),
      label: readText(label),
      createdAt: toTimestamp(createdAt),
      expiresAt: expiresAt === undefined ? undefined : toTimestamp(expiresAt),
      lastUsed: lastUsed === undefined ? undefined : toDay(lastUsed),
    };
  });
}

function readRole(value: unknown): Role {
  const role = roles.find((each) => each === value);
  if (role === undefined) throw new TypeError('there is no such role');
  return role;
}
