import {
  auditActions,
  toTimestamp,
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
} from '@tallybook/domain';
import { parseObject, readRow, readText, type Unchecked } from './json-row.js';

const HASH = /^[0-9a-f]{64}$/;

/** Everything but the number. */
export function bodyOfAuditEntry({ at, actor, action, details, previous, hash }: AuditEntry): string {
  return JSON.stringify({ at, actor, action, details, previous, hash });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toAuditEntry(number: number, body: string): AuditEntry {
  return readRow(`entry ${number} of the audit trail`, () => {
    const { at, actor, action, details, previous, hash }: Unchecked<AuditEntry> = parseObject(body);
    return {
      number,
      at: toTimestamp(at),
      actor: readText(actor),
      action: readAction(action),
      details: readDetails(details),
      previous: readHash(previous),
      hash: readHash(hash),
    };
  });
}

function readAction(value: unknown): AuditAction {
  const action = auditActions.find((each) => each === value);
  if (action === undefined) throw new TypeError('there is no such action');
  return action;
}

function readDetails(value: unknown): AuditDetails {
  if (typeof value !== 'object' || value === null) throw new TypeError('the details are missing');
  for (const each of Object.values(value)) {
    if (!['string', 'number', 'boolean'].includes(typeof each)) throw new TypeError('a detail is of no use');
  }
  return value as AuditDetails;
}

function readHash(value: unknown): string {
  const hash = readText(value);
  if (!HASH.test(hash)) throw new TypeError('a hash has 64 hexadecimal digits');
  return hash;
}
