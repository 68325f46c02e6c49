import type { AttendanceDay, Entry } from '../../values/record/attendance-day.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import { compareTallyIds } from '../../values/name.js';
import { isBlankTallyId, type TallyId } from '../../values/tally-id.js';
import { DAY_SECONDS, type Timestamp } from '../../values/timestamp.js';
import { TallybookError, type ErrorCode } from '../../errors.js';
import { invalidCorrection } from '../values/correction.js';

/** A day with its corrections applied. */
export interface CorrectedDay extends AttendanceDay {
  /**
   * Tags without a scan that counts: all their scans are void, or wait for approval. Ascending by id, and not among the
   * entries.
   */
  readonly voided: readonly Entry[];
  /** All corrections by tag, whatever their state, ascending by number. */
  readonly corrections: ReadonlyMap<TallyId, readonly Correction[]>;
}

/** Data for correcting a day. */
interface DayFacts {
  /** `undefined` if no scan was recorded. */
  readonly record: AttendanceDay | undefined;
  /** The corrections of the day, in any order. */
  readonly corrections: readonly Correction[];
  /** `DayStore.scans` of the tags that have corrections. */
  readonly scans: ReadonlyMap<TallyId, readonly Timestamp[]>;
}

/**
 * Applies corrections to the record of a day. For each second of a tag, the latest approved correction decides whether a
 * scan counts; the latest is that with the latest `madeAt`, then with the largest number. Without one, the record
 * decides. The same correction may be given twice.
 *
 * The count of an imported entry may be larger than the number of its single known scans. The unknown scans stay in the
 * count as long as one known scan counts.
 *
 * @returns `undefined` if no scan was recorded and no addition was approved. If all scans are void, the day has no
 * entries.
 */
export function correctDay(day: Day, { record, corrections, scans }: DayFacts): CorrectedDay | undefined {
  if (record === undefined && !corrections.some(isApprovedAddition)) return undefined;
  const byTag = groupByTag(corrections);
  // A day of 100,000 tags is neither copied nor sorted for nothing.
  if (record !== undefined && byTag.size === 0) return { ...record, voided: [], corrections: byTag };
  const entries: Entry[] = [];
  const voided: Entry[] = [];
  const correct = (id: TallyId, entry: Entry | undefined, its: readonly Correction[]): void => {
    const { counting, shown } = correctTag(id, entry, its, scans.get(id) ?? []);
    if (counting !== undefined) entries.push(counting);
    else if (shown !== undefined) voided.push(shown);
  };
  const recorded = new Set<TallyId>();
  for (const entry of record?.entries ?? []) {
    const its = byTag.get(entry.id);
    if (its === undefined) entries.push(entry);
    else {
      recorded.add(entry.id);
      correct(entry.id, entry, its);
    }
  }
  for (const [id, its] of byTag) if (!recorded.has(id)) correct(id, undefined, its);
  return {
    day,
    // Sorting is stable, so entries with the same first scan stay in the order of recording, added ones last.
    entries: entries.sort((a, b) => a.first - b.first),
    voided: voided.sort((a, b) => compareTallyIds(a.id, b.id)),
    corrections: byTag,
  };
}

/** Whether a correction puts its day on the list of days, even if its scan was voided later. */
export function isApprovedAddition({ action, state }: Correction): boolean {
  return action === 'add' && state === 'approved';
}

/** The verdict of the approved corrections of a tag on each second. */
export function verdictsOf(corrections: readonly Correction[]): ReadonlyMap<Timestamp, Correction> {
  const verdicts = new Map<Timestamp, Correction>();
  for (const correction of corrections) {
    const before = verdicts.get(correction.at);
    if (correction.state === 'approved' && (before === undefined || isLater(correction, before))) {
      verdicts.set(correction.at, correction);
    }
  }
  return verdicts;
}

function isLater(one: Correction, other: Correction): boolean {
  return one.madeAt > other.madeAt || (one.madeAt === other.madeAt && one.number > other.number);
}

/** Corrections by tag, ascending by id. Those of a tag ascend by number, without duplicates. */
function groupByTag(corrections: readonly Correction[]): Map<TallyId, readonly Correction[]> {
  const byTag = new Map<TallyId, Correction[]>();
  const sorted = [...corrections].sort((a, b) => compareTallyIds(a.id, b.id) || a.number - b.number);
  for (const correction of sorted) {
    const its = byTag.get(correction.id);
    if (its === undefined) byTag.set(correction.id, [correction]);
    else if (its.at(-1)?.number !== correction.number) its.push(correction);
  }
  return byTag;
}

interface CorrectedTag {
  /** `undefined` if no scan counts. */
  readonly counting?: Entry;
  /** Entry to show then; `undefined` if there never was a scan. */
  readonly shown?: Entry;
}

function correctTag(
  id: TallyId,
  entry: Entry | undefined,
  corrections: readonly Correction[],
  scans: readonly Timestamp[],
): CorrectedTag {
  const recorded = new Set(entry === undefined ? [] : [...scans, entry.first, entry.last]);
  const counting = new Set(recorded);
  let hasChanged = false;
  for (const [at, { action }] of verdictsOf(corrections)) {
    const isThere = counting.has(at);
    if ((action === 'add') === isThere) continue;
    hasChanged = true;
    if (isThere) counting.delete(at);
    else counting.add(at);
  }
  if (!hasChanged && entry !== undefined) return { counting: entry };
  const unknown = Math.max((entry?.count ?? 0) - recorded.size, 0);
  if (counting.size > 0) return { counting: { ...entryOf(id, counting, unknown), isCorrected: true } };
  const said = corrections.filter(({ state }) => state !== 'rejected').map(({ at }) => at);
  const shown = new Set([...recorded, ...said]);
  return shown.size === 0 ? {} : { shown: entryOf(id, shown, unknown) };
}

/** The known scans of a tag that count after its corrections, ascending. */
export function countingScans(
  scans: readonly Timestamp[],
  corrections: readonly Correction[],
): readonly Timestamp[] {
  const counting = new Set(scans);
  for (const [at, { action }] of verdictsOf(corrections)) {
    if (action === 'add') counting.add(at);
    else counting.delete(at);
  }
  return [...counting].sort((a, b) => a - b);
}

/** @param unknown Number of scans whose seconds are not known. */
function entryOf(id: TallyId, scans: ReadonlySet<Timestamp>, unknown: number): Entry {
  let [first, last] = [Infinity, -Infinity];
  for (const at of scans) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return {
    id,
    first: first as Timestamp,
    last: last as Timestamp,
    count: Math.min(scans.size + unknown, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * How far back a scan can be added, in days: the list of a year can be corrected in the month after that year, and a
 * mistyped year is refused. Recorded scans of any age can be voided.
 */
const ADDITION_MAX_AGE_DAYS = 400;

/** Facts about the scan of a correction. */
interface NamedScan {
  /** Whether the record has the scan. */
  readonly isRecorded: boolean;
  /** The corrections of the same second of the same tag. */
  readonly corrections: readonly Correction[];
  readonly dayOfScan: Day;
  readonly now: Timestamp;
}

/**
 * Checks that a correction makes sense.
 *
 * @throws {TallybookError} `INVALID_CORRECTION`, `BLANK_TALLY_ID`, `SCAN_NOT_FOUND` or `CORRECTION_CONFLICT`.
 */
export function checkCorrection(
  request: Pick<Correction, 'action' | 'day' | 'id' | 'at'>,
  { isRecorded, corrections, dayOfScan, now }: NamedScan,
): void {
  const { action, day, id, at } = request;
  const verdict = verdictsOf(corrections).get(at);
  const counts = verdict === undefined ? isRecorded : verdict.action === 'add';
  if (action === 'add') checkAddition(request, dayOfScan, now);
  else if (!isRecorded && verdict === undefined) {
    throw refused('SCAN_NOT_FOUND', `tag ${id} has no scan at ${at} on day ${day}`);
  }
  const isWaiting = corrections.some((each) => each.state === 'pending' && each.action === action);
  if (isWaiting) throw refused('CORRECTION_CONFLICT', `the same correction waits for approval already`);
  if (counts !== (action === 'add')) return;
  const found = counts ? 'counts already' : 'is void already';
  throw refused('CORRECTION_CONFLICT', `the scan of tag ${id} at ${at} on day ${day} ${found}`);
}

function checkAddition(
  { day, id, at }: Pick<Correction, 'day' | 'id' | 'at'>,
  dayOfScan: Day,
  now: Timestamp,
): void {
  if (isBlankTallyId(id)) throw refused('BLANK_TALLY_ID', `${id} means "no tag": only 0 or only F digits`);
  if (dayOfScan !== day)
    throw invalidCorrection(`the second ${at} lies on day ${dayOfScan}, not on day ${day}`);
  if (at > now) throw invalidCorrection(`the second ${at} lies in the future; it is ${now} here`);
  if (at < now - ADDITION_MAX_AGE_DAYS * DAY_SECONDS) {
    throw invalidCorrection(
      `a scan can be added up to ${ADDITION_MAX_AGE_DAYS} days back; it is ${now} here`,
    );
  }
}

function refused(code: ErrorCode, message: string): TallybookError {
  return new TallybookError(code, message);
}
