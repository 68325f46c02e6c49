import { readAuditEntry, type AuditEntry } from '@tallybook/domain/access';
import { readRow } from './json-row.js';

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toAuditEntry(number: number, body: string): AuditEntry {
  return readRow(`entry ${number} of the audit trail`, () => readAuditEntry(number, JSON.parse(body)));
}
