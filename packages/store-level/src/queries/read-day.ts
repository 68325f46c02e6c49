import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import {
  counted,
  TallybookError,
  type AttendanceDay,
  type Day,
  type DetailedEntry,
  type TallyId,
} from '@tallybook/domain';
import { detailedEntry, requireHeapFor, sortInTurns, type KnownScan } from '@tallybook/domain/record';
import { decodeDay, decodeEntry, decodeFlags, decodeRow, type StoredEntry } from '../rows/codec.js';
import { endsOf } from '../rows/day-rows.js';
import { decodeInTurns } from './decode-in-turns.js';
import {
  dayKey,
  dayOfDayKey,
  dayRange,
  entryRange,
  idOfEntryKey,
  scanOfKey,
  scanRange,
  type KeyRange,
} from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import { unseal } from '../rows/seal.js';

/** Rows that are read and decoded in one turn, which takes about two milliseconds, and their largest size. */
const PAGE_ROWS = 1_000;
const PAGE_BYTES = 65_536;

/**
 * Bytes of heap for each tag that a day may have. An entry takes 120. The rest is for others: several days may be in memory,
 * for answers, files, backups and stations.
 */
export const HEAP_OF_TAG = 600;

/** The content of a LevelDB at one moment. */
export type RawSnapshot = ReturnType<RawLevel['snapshot']>;

/**
 * The record of a day; `undefined` if it has none.
 *
 * @throws {TallybookError} `STORE_CORRUPT` also if the number of entries differs from the one in the row of the day: when certain
 * bytes of a table are damaged, LevelDB leaves out rows without an error. `NOT_ENOUGH_MEMORY` before a row is read.
 */
export async function readDay(
  level: RawLevel,
  day: Day,
  snapshot: RawSnapshot,
): Promise<AttendanceDay | undefined> {
  const entries = await readEntries(level, day, snapshot);
  return entries.length === 0 ? undefined : { day, entries: entries.map(({ entry }) => entry) };
}

/** {@link readDay}, with the known scans of each entry. */
export async function readDetails(
  level: RawLevel,
  day: Day,
  snapshot: RawSnapshot,
): Promise<AttendanceDay<DetailedEntry> | undefined> {
  const entries = await readEntries(level, day, snapshot);
  if (entries.length === 0) return undefined;
  const between = new Map<TallyId, KnownScan[]>();
  for await (const page of pagesOf(level, scanRange(day), snapshot)) {
    for (const [key, value] of page) {
      const { id, at, flags } = decodeRow(key, () => ({
        ...scanOfKey(key),
        flags: decodeFlags(unseal(key, value)),
      }));
      const ofTag = between.get(id);
      if (ofTag === undefined) between.set(id, [{ at, flags }]);
      else ofTag.push({ at, flags });
    }
  }
  return {
    day,
    entries: entries.map((stored) => {
      const [first, last] = endsOf(stored);
      const scans = [first, ...(between.get(stored.entry.id) ?? []), last].filter(
        (scan, index, all) => scan.at !== all[index - 1]?.at,
      );
      return detailedEntry(stored.entry, scans);
    }),
  };
}

async function* pagesOf(
  level: RawLevel,
  range: KeyRange,
  snapshot: RawSnapshot,
): AsyncGenerator<readonly (readonly [key: Buffer, sealed: Buffer])[], void, undefined> {
  // Rows are ten times as large as what they hold, so only a page of them is in memory.
  await using rows = level.iterator({ ...range, snapshot, highWaterMarkBytes: PAGE_BYTES });
  for (let page; (page = await rows.nextv(PAGE_ROWS)).length > 0;) yield page;
}

/** The entries of a day in their order. */
async function readEntries(
  level: RawLevel,
  day: Day,
  snapshot: RawSnapshot,
): Promise<readonly StoredEntry[]> {
  const key = dayKey(day);
  const [value] = await level.getMany([key], { snapshot });
  const announced = value === undefined ? 0 : decodeRow(key, () => decodeDay(unseal(key, value)));
  requireHeapFor(`day ${day}`, announced, getHeapStatistics().heap_size_limit / HEAP_OF_TAG);
  const stored: StoredEntry[] = [];
  for await (const page of pagesOf(level, entryRange(day), snapshot))
    for (const [key, value] of page) stored.push(readEntry(key, value));
  if (stored.length !== announced) {
    throw new TallybookError(
      'STORE_CORRUPT',
      `day ${day} should have ${counted(announced, 'entry', 'entries')}, and has ${stored.length}`,
      { details: { day, announced, found: stored.length } },
    );
  }
  return await sortInTurns(
    stored,
    (a, b) => a.entry.first - b.entry.first || a.order - b.order,
    () => setImmediate(),
  );
}

/**
 * The entry that a row holds.
 *
 * @throws {TallybookError} `STORE_CORRUPT` if the row is damaged.
 */
export function readEntry(key: Buffer, value: Buffer): StoredEntry {
  return decodeRow(key, () => decodeEntry(idOfEntryKey(key), unseal(key, value)));
}

/** The days with a record, from one day to another, both included. */
export async function readDays(
  level: RawLevel,
  from: Day,
  to: Day,
  snapshot?: RawSnapshot,
): Promise<readonly Day[]> {
  const rows = await level.iterator({ ...dayRange(from, to), snapshot }).all();
  return decodeInTurns(rows, ([key, value]) =>
    decodeRow(key, () => {
      unseal(key, value);
      return dayOfDayKey(key);
    }),
  );
}
