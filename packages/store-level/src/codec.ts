import {
  parseName,
  TallybookError,
  toTimestamp,
  type Entry,
  type Name,
  type TallyId,
} from '@tallybook/domain';
import { encodeNumbers, NumberReader } from './numbers.js';

/** An entry as its row holds it. */
export interface StoredEntry {
  readonly entry: Entry;
  /** Place of the tag among those of the day, in the order in which they were recorded first, from 0. */
  readonly order: number;
}

/**
 * Decodes a row.
 *
 * @throws {TallybookError} `STORE_CORRUPT` naming the key if `decode` throws. What it threw is left out, because
 * it may quote a holder's name.
 */
export function decodeRow<T>(key: Buffer, decode: () => T): T {
  try {
    return decode();
  } catch {
    const hex = key.toString('hex');
    throw new TallybookError('STORE_CORRUPT', `the row with the key ${hex} (hex) is damaged`, {
      details: { key: hex },
    });
  }
}

export function encodeName({ first, last }: Name): Buffer {
  return Buffer.from(JSON.stringify({ first, last }));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws if the value is no name. */
export function decodeName(value: Buffer): Name {
  return parseName(JSON.parse(utf8.decode(value)));
}

/** @param entryCount How many entries the day holds, which is the `order` of the next one. */
export function encodeDay(entryCount: number): Buffer {
  return encodeNumbers(entryCount);
}

/** Throws if the value is no number of entries. */
export function decodeDay(value: Buffer): number {
  const numbers = new NumberReader(value);
  const entryCount = numbers.next();
  numbers.end();
  return entryCount;
}

export function encodeEntry({ entry: { first, last, count }, order }: StoredEntry): Buffer {
  return encodeNumbers(order, first, last - first, count);
}

/** Throws if the value is no entry. */
export function decodeEntry(id: TallyId, value: Buffer): StoredEntry {
  const numbers = new NumberReader(value);
  const order = numbers.next();
  const first = numbers.next();
  const duration = numbers.next();
  const count = numbers.next();
  numbers.end();
  if (count === 0) throw new RangeError('an entry has at least one scan');
  return { order, entry: { id, first: toTimestamp(first), last: toTimestamp(first + duration), count } };
}
