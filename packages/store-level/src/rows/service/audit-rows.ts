import { readAuditEntry, type AuditEntry, type AuditHead } from '@tallybook/domain/access';
import { encodeNumbers, NumberReader } from '../../leveldb-files/numbers.js';
import type { SealedRow } from '../rows.js';
import { sealText } from '../seal.js';
import { parseJson } from './json-value.js';
import { auditKey, numbersOfAuditKey } from './service-keys.js';

/*
 * Rows of the audit trail. A row has one entry or several: those that are made together share a row, because a row costs more than
 * an entry in it. The key has the number of the last one, the value everything else as JSON. Another row says which entry is the
 * latest, so that the loss of that entry shows.
 */

const HASH_BYTES = 32;

/**
 * The row of successive entries, sealed.
 *
 * @param last Number of the last one.
 * @param texts Of each entry, by `writeAuditEntry`: 1 to `AUDIT_ROW_MAX`.
 */
export function sealAuditEntries(last: number, texts: readonly string[]): SealedRow {
  const key = auditKey(last, texts.length);
  const text = texts.join(',');
  return { key, sealed: sealText(key, texts.length === 1 ? text : `[${text}]`) };
}

/** The entries of a row, ascending. Throws if it is no row of entries. */
export function decodeAuditEntries(key: Buffer, value: Buffer): readonly AuditEntry[] {
  const { last, count } = numbersOfAuditKey(key);
  const content = parseJson(value);
  const bodies = count === 1 ? [content] : content;
  if (!Array.isArray(bodies) || bodies.length !== count) throw new TypeError(`the row has ${count} entries`);
  return bodies.map((body, index) => readAuditEntry(last - count + 1 + index, body));
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
