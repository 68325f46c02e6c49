import {
  readCredential,
  readUser,
  readAuditEntry,
  type Credential,
  type User,
  type AuditEntry,
} from '@tallybook/domain/access';
import { parseObject, readRow, readText } from './stored-values.js';

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toUser(name: string, body: string): User {
  return readRow(`the row of the user ${name}`, () => readUser(name, JSON.parse(body)));
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toCredential(id: string, body: string): Credential {
  return readRow(`the row of the session or token ${id}`, () => readCredential(id, JSON.parse(body)));
}

/** The row of the secret of the service, among those of credentials: no credential has an id of 7 characters. */
export const ACCESS_SECRET = 'service';

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toAccessSecret(body: string): string {
  return readRow('the row of the secret of the service', () =>
    readText((parseObject(body) as { readonly secret?: unknown }).secret),
  );
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toAuditEntry(number: number, body: string): AuditEntry {
  return readRow(`entry ${number} of the audit trail`, () => readAuditEntry(number, JSON.parse(body)));
}
