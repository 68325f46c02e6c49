import {
  auditActions,
  toTimestamp,
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
  type AuditHead,
} from '@tallybook/domain';
import { encodeNumbers, NumberReader } from '../../leveldb-files/numbers.js';
import { numberOfAuditKey } from '../keys.js';
import { parseObject, readText, type Unchecked } from './json-value.js';

/*
 * Rows of the audit trail: an entry has its number in the key, everything else as JSON. One row more says which entry is
 * the latest, so that its loss shows.
 */

const HASH_BYTES = 32;
const HASH = /^[0-9a-f]{64}$/;

export function encodeAuditEntry({ at, actor, action, details, previous, hash }: AuditEntry): Buffer {
  // What JSON.stringify makes of it, in half the time. The other texts have nothing to escape.
  return Buffer.from(
    `{"at":${at},"actor":${JSON.stringify(actor)},"action":"${action}",` +
      `"details":${JSON.stringify(details)},"previous":"${previous}","hash":"${hash}"}`,
  );
}

/** Throws if it is no row of an entry. */
export function decodeAuditEntry(key: Buffer, value: Buffer): AuditEntry {
  const { at, actor, action, details, previous, hash }: Unchecked<AuditEntry> = parseObject(value);
  return {
    number: numberOfAuditKey(key),
    at: toTimestamp(at),
    actor: readText(actor),
    action: readAction(action),
    details: readDetails(details),
    previous: readHash(previous),
    hash: readHash(hash),
  };
}

export function encodeAuditHead({ number, hash }: AuditHead): Buffer {
  return Buffer.concat([encodeNumbers(number), Buffer.from(hash, 'hex')]);
}

/** Throws if the value does not say which entry is the latest. */
export function decodeAuditHead(value: Buffer): AuditHead {
  const numbers = new NumberReader(value);
  const number = numbers.next();
  const hash = numbers.take(HASH_BYTES).toString('hex');
  numbers.end();
  return { number, hash };
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
