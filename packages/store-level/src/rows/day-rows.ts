import {
  addScan,
  mergeEntries,
  type Day,
  type DetailedEntry,
  type Entry,
  type RecordOutcome,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { joinFlags, knownScans, type KnownScan } from '@tallybook/domain/record';
import {
  decodeDay,
  decodeEntry,
  decodeFlags,
  decodeRow,
  encodeDay,
  encodeEntry,
  encodeFlags,
  type StoredEntry,
  unlessDamaged,
} from './codec.js';
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

/** Records a scan, and tells the journal if that changes anything. */
export function recordScan(
  rows: Rows,
  { day, id, at }: { readonly day: Day; readonly id: TallyId; readonly at: Timestamp },
  { reader, filed, flags = 0 }: ScanSource,
): RecordOutcome {
  const known = findEntry(rows, day, id);
  const outcome = known === undefined ? 'counted' : 'already-counted';
  const before = known && flagsOfScan(rows, day, known, at);
  if (known === undefined || before === undefined) {
    keep(rows, day, known, addScan(known?.entry, id, at), [{ at, flags }]);
    const given = { ...(filed && { filed }), ...(flags !== 0 && { flags }) };
    rows.tell({ kind: 'scan', day, id, at, reader, outcome, ...given });
  } else if (joinFlags(before, flags) !== before) {
    keep(rows, day, known, known.entry, [{ at, flags }]);
    rows.tell({ kind: 'day', day, action: 'merged' });
  }
  return outcome;
}

export function mergeEntry(rows: Rows, day: Day, other: DetailedEntry): void {
  const known = findEntry(rows, day, other.id);
  keep(rows, day, known, mergeEntries(known?.entry, other), knownScans(other));
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
  const between = rows.within(scanRangeOf(day, id)).map(({ key, value, isDamaged }) => {
    const sound = isDamaged === true ? undefined : value;
    const flags = sound && unlessDamaged(() => decodeRow(key, () => decodeFlags(sound)));
    return { key, at: scanOfKey(key).at, flags: flags ?? 0 };
  });
  const known = unlessDamaged(() => findEntry(rows, day, id));
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
    const scans = [...endsOf(known), ...between];
    rows.put(key, encodeEntry({ entry, order: known.order, flags: flagsOfEnds(entry, scans) }));
  } else if (rows.delete(key)) uncountEntry(rows, day);
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

/** The flags of a scan; `undefined` if it is not known. */
function flagsOfScan(rows: Rows, day: Day, stored: StoredEntry, at: Timestamp): number | undefined {
  const end = endsOf(stored).find((each) => each.at === at);
  if (end !== undefined) return end.flags;
  const key = scanKey(day, stored.entry.id, at);
  const value = rows.get(key);
  return value && decodeRow(key, () => decodeFlags(value));
}

/** The first and the last scan. */
export function endsOf({
  entry: { first, last },
  flags = [0, 0],
}: StoredEntry): readonly [KnownScan, KnownScan] {
  return [
    { at: first, flags: flags[0] },
    { at: last, flags: flags[1] },
  ];
}

function flagsOfEnds({ first, last }: Entry, scans: readonly KnownScan[]): readonly [number, number] {
  const flagsAt = (end: Timestamp): number =>
    scans.reduce((flags, scan) => (scan.at === end ? joinFlags(flags, scan.flags) : flags), 0);
  return [flagsAt(first), flagsAt(last)];
}

/** Replaces the known entry, and puts a row for each scan that now lies between the first and the last one. */
function keep(
  rows: Rows,
  day: Day,
  known: StoredEntry | undefined,
  entry: Entry,
  scans: readonly KnownScan[],
): void {
  const order = known?.order ?? countEntry(rows, day);
  const ends = known === undefined ? [] : endsOf(known);
  const flags = flagsOfEnds(entry, [...ends, ...scans]);
  rows.put(entryKey(day, entry.id), encodeEntry({ entry, order, flags }));
  const isBetween = ({ at }: KnownScan): boolean => at > entry.first && at < entry.last;
  // No row is lost: the first and the last scan had none.
  for (const scan of ends.filter(isBetween))
    rows.put(scanKey(day, entry.id, scan.at), encodeFlags(scan.flags));
  for (const scan of scans.filter(isBetween)) {
    const key = scanKey(day, entry.id, scan.at);
    const value = rows.get(key);
    const before = value === undefined ? 0 : decodeRow(key, () => decodeFlags(value));
    rows.put(key, encodeFlags(joinFlags(before, scan.flags)));
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
