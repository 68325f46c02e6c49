import {
  addScan,
  mergeEntries,
  type Day,
  type Entry,
  type RecordOutcome,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { decodeDay, decodeEntry, decodeRow, encodeDay, encodeEntry, type StoredEntry } from './codec.js';
import {
  dayKey,
  entryKey,
  entryRange,
  scanKey,
  scanOfKey,
  scanRange,
  scanRangeOf,
  type KeyRange,
} from './keys.js';
import type { Rows } from './rows.js';

/*
 * The rows of a day: one for the day, with the number of its entries; one for each entry; and one for each known scan between the
 * first and the last one of its entry. The entry itself holds these two, so a tag that comes and goes once a day costs no scan
 * row.
 */

const NOTHING = Buffer.alloc(0);

/** The keys that a write of scans of a tag decides on, in addition to the key of the day. */
export function keysOfScans(day: Day, id: TallyId, scans: readonly Timestamp[]): Buffer[] {
  return [entryKey(day, id), ...scans.map((at) => scanKey(day, id, at))];
}

/** The rows of a day except the row of the day itself. */
export function rangesOfDay(day: Day): KeyRange[] {
  return [entryRange(day), scanRange(day)];
}

export function hasDay(rows: Rows, day: Day): boolean {
  return rows.has(dayKey(day));
}

export function recordScan(rows: Rows, day: Day, id: TallyId, at: Timestamp): RecordOutcome {
  const known = findEntry(rows, day, id);
  if (known === undefined || !hasScan(rows, day, known.entry, at)) {
    keep(rows, day, known, addScan(known?.entry, id, at), [at]);
  }
  return known === undefined ? 'counted' : 'already-counted';
}

export function mergeEntry(rows: Rows, day: Day, other: Entry): void {
  const known = findEntry(rows, day, other.id);
  keep(rows, day, known, mergeEntries(known?.entry, other), [other.first, other.last]);
}

export function removeDay(rows: Rows, day: Day): void {
  rows.delete(dayKey(day));
  for (const range of rangesOfDay(day)) rows.deleteRange(range);
}

/**
 * Erases scans of a tag on a day, and its entry if none is left. Its range {@link scanRangeOf} must be announced. Damaged rows go
 * too.
 */
export function eraseScans(rows: Rows, day: Day, id: TallyId, isGone: (at: Timestamp) => boolean): void {
  const key = entryKey(day, id);
  const between = rows.within(scanRangeOf(day, id)).map((row) => ({ key: row.key, ...scanOfKey(row.key) }));
  const known = findSoundEntry(rows, key, id);
  const ends = known === undefined ? [] : [known.entry.first, known.entry.last];
  const all = [...new Set([...ends, ...between.map(({ at }) => at)])].sort((a, b) => a - b);
  const left = all.filter((at) => !isGone(at));
  if (known !== undefined && left.length === all.length) return;
  const [first, last = first] = [left[0], left.at(-1)];
  for (const scan of between) {
    if (isGone(scan.at) || scan.at === first || scan.at === last) rows.delete(scan.key);
  }
  if (known !== undefined && first !== undefined && last !== undefined) {
    const entry = { id, first, last, count: left.length };
    rows.put(key, encodeEntry({ entry, order: known.order }));
  } else if (rows.delete(key)) uncountEntry(rows, day);
}

function findSoundEntry(rows: Rows, key: Buffer, id: TallyId): StoredEntry | undefined {
  try {
    const value = rows.get(key);
    return value && decodeEntry(id, value);
  } catch {
    return undefined;
  }
}

/** Counts one entry less on a day. A day without entries has no record. */
function uncountEntry(rows: Rows, day: Day): void {
  const key = dayKey(day);
  const value = rows.get(key);
  const count = value === undefined ? 0 : decodeRow(key, () => decodeDay(value));
  if (count > 1) rows.put(key, encodeDay(count - 1));
  else rows.delete(key);
}

function findEntry(rows: Rows, day: Day, id: TallyId): StoredEntry | undefined {
  const key = entryKey(day, id);
  const value = rows.get(key);
  return value === undefined ? undefined : decodeRow(key, () => decodeEntry(id, value));
}

function hasScan(rows: Rows, day: Day, { id, first, last }: Entry, at: Timestamp): boolean {
  return at === first || at === last || rows.get(scanKey(day, id, at)) !== undefined;
}

/** Replaces the known entry, and puts a row for each scan that now lies between the first and the last one. */
function keep(
  rows: Rows,
  day: Day,
  known: StoredEntry | undefined,
  entry: Entry,
  scans: readonly Timestamp[],
): void {
  const order = known?.order ?? countEntry(rows, day);
  rows.put(entryKey(day, entry.id), encodeEntry({ entry, order }));
  const knownScans = known === undefined ? [] : [known.entry.first, known.entry.last];
  for (const at of [...knownScans, ...scans]) {
    if (at > entry.first && at < entry.last) rows.put(scanKey(day, entry.id, at), NOTHING);
  }
}

/** Counts one more entry on a day, and returns the number of entries before. */
function countEntry(rows: Rows, day: Day): number {
  const key = dayKey(day);
  const value = rows.get(key);
  const count = value === undefined ? 0 : decodeRow(key, () => decodeDay(value));
  rows.put(key, encodeDay(count + 1));
  return count;
}
