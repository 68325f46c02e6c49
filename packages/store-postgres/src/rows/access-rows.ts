import { readCredential, readUser, type Credential, type User } from '@tallybook/domain/access';
import { readRow } from './json-row.js';

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toUser(name: string, body: string): User {
  return readRow(`the row of the user ${name}`, () => readUser(name, JSON.parse(body)));
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toCredential(id: string, body: string): Credential {
  return readRow(`the row of the session or token ${id}`, () => readCredential(id, JSON.parse(body)));
}
