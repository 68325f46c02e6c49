import type { Cursor, Day, JournalEntry } from '@tallybook/domain';
import { dayOfCorrection, dayOfScan, decodeChange } from '../rows/change-codec.js';
import { damagedRow } from '../rows/codec.js';
import { decodeInTurns } from './decode-in-turns.js';
import { changeRange, cursorOfKey } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import type { RawSnapshot } from './read-day.js';
import type { Row } from '../rows/rows.js';
import { isSealed, unseal } from '../rows/seal.js';

/**
 * The changes after a cursor, up to `latest`, at most `limit`. They end before the first damaged change.
 *
 * @throws {TallybookError} `STORE_CORRUPT` if the first one is damaged.
 */
export async function readChanges(
  level: RawLevel,
  { after, latest, limit }: { readonly after: Cursor; readonly latest: Cursor; readonly limit: number },
): Promise<readonly JournalEntry[]> {
  const rows = await level.iterator({ ...changeRange(after, latest), limit }).all();
  const entries = await decodeInTurns(rows, ([key, value]) => decodeSound(key, value));
  const sound = entries.findIndex((entry) => entry === undefined);
  const [first] = rows;
  if (sound === 0 && first !== undefined) throw damagedRow(first[0]);
  return entries.slice(0, sound === -1 ? entries.length : sound).filter((entry) => entry !== undefined);
}

/** The change of a row; `undefined` if it is damaged. */
export function decodeSound(key: Buffer, sealed: Buffer): JournalEntry | undefined {
  try {
    return { cursor: cursorOfKey(key), change: decodeChange(unseal(key, sealed)).change };
  } catch {
    return undefined;
  }
}

/** When a change was written, in seconds since 1970; `undefined` if its row is damaged. */
export function writingTimeOf(key: Buffer, sealed: Buffer): number | undefined {
  try {
    return decodeChange(unseal(key, sealed)).writtenAt;
  } catch {
    return undefined;
  }
}

/** Rows of the journal that are searched in one turn. */
const PAGE_ROWS = 1_000;

/** Keys of the journal's changes about scans of a day. */
export function findScans(level: RawLevel, snapshot: RawSnapshot, day: Day): Promise<readonly Buffer[]> {
  return findTelling(level, snapshot, (value) => dayOfScan(value) === day);
}

/** Keys of the journal's changes about corrections of a day. */
export function findCorrections(
  level: RawLevel,
  snapshot: RawSnapshot,
  day: Day,
): Promise<readonly Buffer[]> {
  return findTelling(level, snapshot, (value) => dayOfCorrection(value) === day);
}

/** Whether an encoded change is a wanted one. It may throw if the value is no change. */
type Telling = (value: Buffer) => boolean;

async function findTelling(
  level: RawLevel,
  snapshot: RawSnapshot,
  tells: Telling,
): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  await using rows = level.iterator({ ...changeRange(0), snapshot });
  for (;;) {
    const page = await rows.nextv(PAGE_ROWS);
    if (page.length === 0) return found;
    for (const [key, sealed] of page) {
      if (isSealed(key, sealed) && isTelling(tells, unseal(key, sealed))) found.push(key);
    }
  }
}

/** Keys of the changes about scans of a day, among given rows of the journal. */
export function scansAmong(rows: readonly Row[], day: Day): readonly Buffer[] {
  return tellingAmong(rows, (value) => dayOfScan(value) === day);
}

/** Keys of the changes about corrections of a day, among given rows of the journal. */
export function correctionsAmong(rows: readonly Row[], day: Day): readonly Buffer[] {
  return tellingAmong(rows, (value) => dayOfCorrection(value) === day);
}

function tellingAmong(rows: readonly Row[], tells: Telling): readonly Buffer[] {
  return rows
    .filter(({ value, isDamaged }) => value !== undefined && isDamaged !== true && isTelling(tells, value))
    .map(({ key }) => key);
}

function isTelling(tells: Telling, value: Buffer): boolean {
  try {
    return tells(value);
  } catch {
    return false;
  }
}
