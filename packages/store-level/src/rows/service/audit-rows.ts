import { readAuditEntry, writeAuditEntry, type AuditEntry, type AuditHead } from '@tallybook/domain';
import { encodeNumbers, NumberReader } from '../../leveldb-files/numbers.js';
import { auditKey, numberOfAuditKey } from '../keys.js';
import type { SealedRow } from '../rows.js';
import { sealText } from '../seal.js';
import { parseJson } from './json-value.js';

/*
 * Rows of the audit trail: an entry has its number in the key, everything else as JSON. Another row says which entry is the latest,
 * so that the loss of that entry shows.
 */

const HASH_BYTES = 32;

/** The row of an entry, sealed. */
export function sealAuditEntry(entry: AuditEntry): SealedRow {
  const key = auditKey(entry.number);
  return { key, sealed: sealText(key, writeAuditEntry(entry)) };
}

/** Throws if it is no row of an entry. */
export function decodeAuditEntry(key: Buffer, value: Buffer): AuditEntry {
  return readAuditEntry(numberOfAuditKey(key), parseJson(value));
}

export function encodeAuditHead({ number, hash }: AuditHead): Buffer {
  const numbers = encodeNumbers(number);
  const row = Buffer.allocUnsafe(numbers.length + HASH_BYTES);
  numbers.copy(row);
  const written = row.write(hash, numbers.length, 'hex');
  if (written !== HASH_BYTES) throw new RangeError(`a hash has ${HASH_BYTES} bytes; got ${written}`);
  return row;
}

/** Throws if the value does not say which entry is the latest. */
export function decodeAuditHead(value: Buffer): AuditHead {
  const numbers = new NumberReader(value);
  const number = numbers.next();
  const hash = numbers.take(HASH_BYTES).toString('hex');
  numbers.end();
  return { number, hash };
}
