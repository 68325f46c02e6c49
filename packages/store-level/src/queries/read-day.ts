import { setImmediate } from 'node:timers/promises';
import { counted, sortInTurns, TallybookError, type AttendanceDay, type Day } from '@tallybook/domain';
import { decodeDay, decodeEntry, decodeRow, type StoredEntry } from '../rows/codec.js';
import { decodeInTurns } from './decode-in-turns.js';
import { dayKey, dayOfDayKey, dayRange, entryRange, idOfEntryKey } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import { unseal } from '../rows/seal.js';

/** The content of a LevelDB at one moment. */
export type RawSnapshot = ReturnType<RawLevel['snapshot']>;

/**
 * The record of a day; `undefined` if it has none.
 *
 * @throws {TallybookError} `STORE_CORRUPT` also if the number of entries differs from the one in the row of the day: when certain
 * bytes of a table are damaged, LevelDB leaves out rows without an error.
 */
export async function readDay(
  level: RawLevel,
  day: Day,
  snapshot: RawSnapshot,
): Promise<AttendanceDay | undefined> {
  const key = dayKey(day);
  const [rows, [value]] = await Promise.all([
    level.iterator({ ...entryRange(day), snapshot }).all(),
    level.getMany([key], { snapshot }),
  ]);
  const announced = value === undefined ? 0 : decodeRow(key, () => decodeDay(unseal(key, value)));
  if (rows.length !== announced) {
    throw new TallybookError(
      'STORE_CORRUPT',
      `day ${day} should have ${counted(announced, 'entry', 'entries')}, and has ${rows.length}`,
      { details: { day, announced, found: rows.length } },
    );
  }
  if (rows.length === 0) return undefined;
  const stored = await decodeInTurns(rows, ([key, value]) => readEntry(key, value));
  const sorted = await sortInTurns(
    stored,
    (a, b) => a.entry.first - b.entry.first || a.order - b.order,
    () => setImmediate(),
  );
  return { day, entries: sorted.map(({ entry }) => entry) };
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
