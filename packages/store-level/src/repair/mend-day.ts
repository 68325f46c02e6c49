import {
  mergeEntries,
  toTimestamp,
  type Day,
  type Entry,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { encodeDay, encodeEntry, type StoredEntry } from '../rows/codec.js';
import { dayKey, entryKey, entryRange, scanOfKey, scanRange } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import { readEntry } from '../queries/read-day.js';
import type { Row } from '../rows/rows.js';

/**
 * Finds the changes that make the rows of a day consistent again after some rows were lost. An entry that is lost, or left in an
 * older state, is computed from its scans. The orders get no gap, and the row of the day gets the number of the entries. Some
 * scans of such an entry may be lost, so its count becomes a lower bound.
 *
 * @returns Rows to put, and rows without a value to delete.
 */
export async function mendDay(raw: RawLevel, day: Day): Promise<readonly Row[]> {
  const stored = await readEntries(raw, day);
  const entries = new Map<TallyId, Entry>([...stored].map(([id, { entry }]) => [id, entry]));
  const scans = (await raw.keys(scanRange(day)).all()).map((key) => ({ key, ...scanOfKey(key) }));
  for (const [id, seconds] of secondsById(scans)) {
    const entry = entries.get(id);
    if (entry !== undefined) seconds.add(entry.first).add(entry.last);
    const [first, last] = [toTimestamp(Math.min(...seconds)), toTimestamp(Math.max(...seconds))];
    entries.set(id, mergeEntries(entry, { id, first, last, count: seconds.size }));
  }

  const orderOf = ({ id }: Entry): number => stored.get(id)?.order ?? Number.MAX_SAFE_INTEGER;
  const ordered = [...entries.values()].sort((a, b) => orderOf(a) - orderOf(b) || a.first - b.first);
  const rows: Row[] = ordered.map((entry, order) => ({
    key: entryKey(day, entry.id),
    value: encodeEntry({ entry, order }),
  }));
  // The entry holds its first and its last scan, so they need no row.
  const told = scans.filter(({ id, at }) => at === entries.get(id)?.first || at === entries.get(id)?.last);
  return [
    ...rows,
    ...told.map(({ key }) => ({ key, value: undefined })),
    { key: dayKey(day), value: rows.length === 0 ? undefined : encodeDay(rows.length) },
  ];
}

function secondsById(
  scans: readonly { readonly id: TallyId; readonly at: Timestamp }[],
): ReadonlyMap<TallyId, Set<Timestamp>> {
  const seconds = new Map<TallyId, Set<Timestamp>>();
  for (const { id, at } of scans) seconds.set(id, (seconds.get(id) ?? new Set<Timestamp>()).add(at));
  return seconds;
}

async function readEntries(raw: RawLevel, day: Day): Promise<ReadonlyMap<TallyId, StoredEntry>> {
  const rows = await raw.iterator(entryRange(day)).all();
  const entries = rows.map(([key, value]) => readEntry(key, value));
  return new Map(entries.map((stored) => [stored.entry.id, stored]));
}
