import {
  parseKeptName,
  parseTallyId,
  TallybookError,
  toDay,
  toTimestamp,
  type Entry,
  type Filing,
  type Name,
  type ProvisionalScan,
  type TallyId,
  isTallybookError,
} from '@tallybook/domain';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';
import { parseJson, parseObject, readText, type Unchecked } from './service/json-value.js';

/** The content of an entry's row. */
export interface StoredEntry {
  readonly entry: Entry;
  /** Place of the tag among the tags of the day, in the order of their first recording, from 0. */
  readonly order: number;
  /** Flags of the first and of the last scan; absent if both are 0. */
  readonly flags?: readonly [first: number, last: number];
}

/**
 * Decodes a row.
 *
 * @throws {TallybookError} `STORE_CORRUPT` with the key if `decode` throws. The error of `decode` is left out, because it may
 * quote the name of a person.
 */
export function decodeRow<T>(key: Buffer, decode: () => T): T {
  try {
    return decode();
  } catch {
    throw damagedRow(key);
  }
}

/** What is read; `undefined` if its row is damaged. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
    throw error;
  }
}

export function damagedRow(key: Buffer): TallybookError {
  const hex = key.toString('hex');
  return new TallybookError('STORE_CORRUPT', `the row with the key ${hex} (hex) is damaged`, {
    details: { key: hex },
  });
}

export function encodeName({ first, last }: Name): Buffer {
  return Buffer.from(JSON.stringify({ first, last }));
}

/** Throws if the value is no name. */
export function decodeName(value: Buffer): Name {
  return parseKeptName(parseJson(value));
}

/** @param entryCount How many entries the day holds: this is the `order` of the next entry. */
export function encodeDay(entryCount: number): Buffer {
  return encodeNumbers(entryCount);
}

/** Throws if the value is no number of entries. */
export const decodeDay: (value: Buffer) => number = decodeNumber;

export function encodeEntry({ entry: { first, last, count }, order, flags = [0, 0] }: StoredEntry): Buffer {
  const given = flags[0] === 0 && flags[1] === 0 ? [] : flags;
  return encodeNumbers(order, first, last - first, count, ...given);
}

/** Throws if the value is no entry. */
export function decodeEntry(id: TallyId, value: Buffer): StoredEntry {
  const numbers = new NumberReader(value);
  const order = numbers.next();
  const first = numbers.next();
  const duration = numbers.next();
  const count = numbers.next();
  if (count === 0) throw new RangeError('an entry has at least one scan');
  const entry = { id, first: toTimestamp(first), last: toTimestamp(first + duration), count };
  if (numbers.isAtEnd) return { order, entry };
  const flags = [numbers.next(), numbers.next()] as const;
  numbers.end();
  return { order, entry, flags };
}

/** Encodes the value of a scan's row. */
export function encodeFlags(flags: number): Buffer {
  return encodeNumbers(flags);
}

/** Throws if the value is no flags. */
export const decodeFlags: (value: Buffer) => number = decodeNumber;

export function encodeSequence(sequence: number): Buffer {
  return encodeNumbers(sequence);
}

/** Throws if the value is no sequence. */
export const decodeSequence: (value: Buffer) => number = decodeNumber;

/**
 * @param forgotten The largest cursor among the changes that were removed because they were the oldest.
 * @param gaps How many cursors after `forgotten` no longer have a change.
 */
export function encodeBounds(forgotten: number, gaps: number): Buffer {
  return encodeNumbers(forgotten, gaps);
}

/** Throws if the value does not have these two numbers. */
export function decodeBounds(value: Buffer): { readonly forgotten: number; readonly gaps: number } {
  const numbers = new NumberReader(value);
  const [forgotten, gaps] = [numbers.next(), numbers.next()];
  numbers.end();
  return { forgotten, gaps };
}

/** Encodes the value of a provisional scan's row. The sequence is in the key. */
export function encodeProvisional(scan: Omit<ProvisionalScan, 'sequence'>): Buffer {
  const { id, reader, bootId, monotonicMs, shown, notBefore, filing } = scan;
  return Buffer.from(JSON.stringify({ id, reader, bootId, monotonicMs, shown, notBefore, filing }));
}

/** Throws if the value is no provisional scan. */
export function decodeProvisional(sequence: number, value: Buffer): ProvisionalScan {
  const fields: Unchecked<ProvisionalScan> = parseObject(value);
  const { id, reader, bootId, monotonicMs, shown, notBefore, filing } = fields;
  if (typeof monotonicMs !== 'number') throw new TypeError('the moment is missing');
  return {
    sequence,
    id: parseTallyId(id),
    reader: readText(reader),
    bootId: readText(bootId),
    monotonicMs,
    shown: toTimestamp(shown),
    notBefore: toTimestamp(notBefore),
    ...(filing === undefined ? {} : { filing: toFiling(filing as Unchecked<Filing>) }),
  };
}

type Estimate = NonNullable<Filing['estimate']>;

function toFiling({ day, at, estimate, isRecorded }: Unchecked<Filing>): Filing {
  if (typeof isRecorded !== 'boolean') throw new TypeError('it does not say whether the day has it');
  return {
    day: toDay(day),
    at: toTimestamp(at),
    ...(estimate === undefined ? {} : { estimate: toEstimate(estimate as Unchecked<Estimate>) }),
    isRecorded,
  };
}

function toEstimate({ earliest, latest }: Unchecked<Estimate>): Estimate {
  return { earliest: toTimestamp(earliest), latest: toTimestamp(latest) };
}

function decodeNumber(value: Buffer): number {
  const numbers = new NumberReader(value);
  const number = numbers.next();
  numbers.end();
  return number;
}
