import type { Day, TallyId, Timestamp } from '@tallybook/domain';
import type { Correction } from '@tallybook/domain/record';
import { decodeEntry, decodeRow } from '../rows/codec.js';
import { entryKey, scanOfKey, scanRangeOf, type KeyRange } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import type { RawSnapshot } from './read-day.js';
import { unseal } from '../rows/seal.js';
import {
  decodeCorrection,
  allCorrections,
  correctionOfKey,
  correctionRange,
} from '../rows/correction-rows.js';

interface Pages {
  /** The rows of a range, a page at a time. */
  pages(range: KeyRange): AsyncIterable<readonly (readonly [key: Buffer, sealed: Buffer])[]>;
}

/** The corrections of the days from one day to another, both included. Only one page is in memory at a time. */
export async function* correctionsOfDays(
  view: Pages,
  from: Day,
  to: Day,
): AsyncGenerator<Correction, void, undefined> {
  for await (const page of view.pages(correctionRange(from, to)))
    for (const [key, value] of page) yield readCorrection(key, value);
}

/**
 * The correction that a row holds.
 *
 * @throws {TallybookError} `STORE_CORRUPT` if the row is damaged.
 */
function readCorrection(key: Buffer, value: Buffer): Correction {
  return decodeRow(key, () => decodeCorrection(correctionOfKey(key), unseal(key, value)));
}

/** Keys that are read in one turn. */
const PAGE_ROWS = 500;

/** The day of the correction with a number; `undefined` if there is none. */
export async function findCorrectionDay(level: RawLevel, number: number): Promise<Day | undefined> {
  const keys = level.keys(allCorrections);
  try {
    for (;;) {
      const page = await keys.nextv(PAGE_ROWS);
      if (page.length === 0) return undefined;
      const found = page.map((key) => decodeRow(key, () => correctionOfKey(key)));
      const day = found.find((each) => each.number === number)?.day;
      if (day !== undefined) return day;
    }
  } finally {
    await keys.close();
  }
}

/** The largest number of a stored correction; 0 if there is none. */
export async function highestNumber(level: RawLevel): Promise<number> {
  let highest = 0;
  for await (const key of level.keys(allCorrections)) {
    highest = Math.max(highest, decodeRow(key, () => correctionOfKey(key)).number);
  }
  return highest;
}

/**
 * The seconds of the scans of a tag on a day, ascending. The first and the last one are in the entry, all others in rows of their
 * own.
 *
 * @throws {TallybookError} `STORE_CORRUPT` if the entry is damaged.
 */
export async function readScans(
  level: RawLevel,
  day: Day,
  id: TallyId,
  snapshot: RawSnapshot,
): Promise<readonly Timestamp[]> {
  const key = entryKey(day, id);
  const [[value], scans] = await Promise.all([
    level.getMany([key], { snapshot }),
    level.keys({ ...scanRangeOf(day, id), snapshot }).all(),
  ]);
  if (value === undefined) return [];
  const { first, last } = decodeRow(key, () => decodeEntry(id, unseal(key, value))).entry;
  const between = scans.map((each) => decodeRow(each, () => scanOfKey(each).at));
  return [...new Set([first, ...between, last])];
}
