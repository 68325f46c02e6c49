import { decodeDay, decodeEntry, decodeName, decodeProvisional, decodeSequence } from './codec.js';
import {
  DAY,
  dayOfDayKey,
  ENTRY,
  idOfEntryKey,
  idOfNameKey,
  LATEST_SEQUENCE,
  MOMENT,
  NAME,
  PROVISIONAL,
  SCAN,
  scanOfKey,
  sequenceOfKey,
} from './keys.js';
import type { SavedRow } from './salvage.js';

/** How many rows there are of each kind. */
export interface RowCounts {
  readonly names: number;
  /** Days that have a record. */
  readonly days: number;
  readonly entries: number;
  /** Scans that are neither the first nor the last of their entry. */
  readonly scans: number;
  /** Provisional scans. */
  readonly provisional: number;
}

interface RowKind {
  /** Not given to rows that only say something about others. */
  readonly name?: keyof RowCounts;
  /** Throws if a row is not one of this kind. */
  readonly check: (key: Buffer, value: Buffer) => unknown;
}

/** What a store keeps, by the first byte of the key. A repair saves what is listed here. */
const kinds: ReadonlyMap<number, RowKind> = new Map<number, RowKind>([
  [NAME, { name: 'names', check: (key, value) => [idOfNameKey(key), decodeName(value)] }],
  [DAY, { name: 'days', check: (key, value) => [dayOfDayKey(key), decodeDay(value)] }],
  [ENTRY, { name: 'entries', check: (key, value) => decodeEntry(idOfEntryKey(key), value) }],
  [SCAN, { name: 'scans', check: (key) => scanOfKey(key) }],
  [PROVISIONAL, { name: 'provisional', check: (key, value) => decodeProvisional(sequenceOfKey(key), value) }],
  [MOMENT, { check: (_, value) => decodeSequence(value) }],
  [LATEST_SEQUENCE, { check: (_, value) => decodeSequence(value) }],
]);

/** As what a row is counted, `undefined` if it is not. */
export function kindOf(key: Buffer): keyof RowCounts | undefined {
  return kinds.get(key[0] ?? -1)?.name;
}

/** Whether a row means something: one that was written wrongly has the right checksums too. */
export function isMeaningful({ key, value }: SavedRow): boolean {
  const kind = kinds.get(key[0] ?? -1);
  try {
    kind?.check(key, value);
    return kind !== undefined;
  } catch {
    return false;
  }
}
