import { toCorrection } from '../../record/corrections/correction-fields.js';
import { quote } from '../../errors.js';
import { ENTRY_COUNT_MAX, type Entry } from '../../values/record/attendance-day.js';
import type { FiledScan } from '../../values/record/reading.js';
import { toDay } from '../../values/day.js';
import type { Erasure } from '../../record/values/erasure.js';
import { STAMP_COUNTER_MAX, STAMP_MS_MAX, type NameStamp } from '../../record/values/name-stamp.js';
import { parseKeptName } from '../../values/name.js';
import {
  SYNC_MAX_ENTRIES,
  type CorrectionItem,
  type DownItem,
  type EntriesItem,
  type ErasureItem,
  type NameItem,
  type ScanItem,
  type UpItem,
} from '../values/sync.js';
import { parseReadId, parseTallyId } from '../../values/tally-id.js';
import { toOutsideTime } from '../../values/timestamp.js';
import { invalidSync, toCount, toFields, toList, toText, type Fields } from './fields.js';

/** Lengths of the name of a reader, and of the node of a stamp, in UTF-16 code units. */
const READER_LENGTHS = [0, 200] as const;
const NODE_LENGTHS = [0, 64] as const;
const HALF_DIGEST = /^[0-9a-f]{32}$/;

/** @throws {TallybookError} `INVALID_SYNC`, or the code of the value that is wrong. */
export function toUpItem(fields: Fields): UpItem {
  switch (fields['kind']) {
    case 'scan':
      return toScan(fields);
    case 'entries':
      return toEntries(fields);
    default:
      return toShared(fields) ?? unknownKind(fields, 'scan, entries, name, correction or erasure');
  }
}

/** @throws {TallybookError} `INVALID_SYNC`, or the code of the value that is wrong. */
export function toDownItem(fields: Fields): DownItem {
  if (fields['kind'] === 'day') return { kind: 'day', day: toDay(fields['day']) };
  return toShared(fields) ?? unknownKind(fields, 'name, correction, erasure or day');
}

/** An item of a kind that goes both ways; `undefined` for another kind. */
function toShared(fields: Fields): NameItem | CorrectionItem | ErasureItem | undefined {
  switch (fields['kind']) {
    case 'name':
      return toName(fields);
    case 'correction':
      return {
        kind: 'correction',
        correction: toCorrection(toFields(fields['correction'], 'correction')),
      };
    case 'erasure':
      return { kind: 'erasure', erasure: toErasure(fields['erasure']) };
    default:
      return undefined;
  }
}

function unknownKind(fields: Fields, known: string): never {
  throw invalidSync(`kind must be ${known}; got ${quote(fields['kind'])}`);
}

function toScan({ day, id, at, reader, filed }: Fields): ScanItem {
  return {
    kind: 'scan',
    day: toDay(day),
    id: parseReadId(id),
    at: toOutsideTime(at),
    ...(reader !== undefined && { reader: toText(reader, 'reader', READER_LENGTHS) }),
    ...(filed !== undefined && { filed: toFiled(filed) }),
  };
}

function toFiled(value: unknown): FiledScan {
  const { sequence, estimate } = toFields(value, 'filed');
  const filed = { sequence: toCount(sequence, 'filed.sequence') };
  if (estimate === undefined) return filed;
  const { earliest, latest } = toFields(estimate, 'filed.estimate');
  const bounds = { earliest: toOutsideTime(earliest), latest: toOutsideTime(latest) };
  if (bounds.earliest > bounds.latest) throw invalidSync('filed.estimate must have its earliest first');
  return { ...filed, estimate: bounds };
}

export function toName({ id, name, stamp }: Fields): NameItem {
  return {
    kind: 'name',
    id: parseTallyId(id),
    name: name === null ? null : parseKeptName(name),
    stamp: stamp === null ? null : toStamp(stamp),
  };
}

function toStamp(value: unknown): NameStamp {
  const { ms, counter, node } = toFields(value, 'stamp');
  // Cut, not refused: the name may have been taken over from a place that is wrong.
  return {
    ms: Math.min(toCount(ms, 'stamp.ms'), STAMP_MS_MAX),
    counter: Math.min(toCount(counter, 'stamp.counter'), STAMP_COUNTER_MAX),
    node: toText(node, 'stamp.node', NODE_LENGTHS),
  };
}

function toEntries({ day, entries }: Fields): EntriesItem {
  const list = toList(entries, 'entries', SYNC_MAX_ENTRIES);
  if (list.length === 0) throw invalidSync('entries must have at least one element');
  return { kind: 'entries', day: toDay(day), entries: list.map(toEntry) };
}

function toEntry(value: unknown): Entry {
  const fields = toFields(value, 'an entry');
  const [first, last] = [toOutsideTime(fields['first']), toOutsideTime(fields['last'])];
  if (first > last) throw invalidSync(`an entry has its first scan (${first}) after its last (${last})`);
  const count = toCount(fields['count'], 'the count of an entry', [first === last ? 1 : 2, ENTRY_COUNT_MAX]);
  return { id: parseReadId(fields['id']), first, last, count };
}

export function toErasure(value: unknown): Erasure {
  const { key, digest, from, until, expiresAt } = toFields(value, 'erasure');
  return {
    key: toHalfDigest(key, 'erasure.key'),
    digest: toHalfDigest(digest, 'erasure.digest'),
    from: toOutsideTime(from),
    until: toOutsideTime(until),
    expiresAt: toOutsideTime(expiresAt),
  };
}

export function toHalfDigest(value: unknown, what: string): string {
  if (typeof value === 'string' && HALF_DIGEST.test(value)) return value;
  throw invalidSync(`${what} must be 32 hexadecimal digits in lower case`);
}
