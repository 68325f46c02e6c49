import { TallybookError, type ErrorCode } from '../../errors.js';
import type { Correction } from '../../values/record/correction.js';
import { invalidCorrection } from '../values/correction.js';
import type { Day } from '../../values/day.js';
import { isBlankTallyId } from '../../values/tally-id.js';
import { DAY_SECONDS, type Timestamp } from '../../values/timestamp.js';
import { verdictsOf } from './correct-day.js';

/**
 * How far back a scan can be added, in days: the list of a year can be corrected in the month after that year, and a
 * mistyped year is refused. Recorded scans of any age can be voided.
 */
const ADDITION_MAX_AGE_DAYS = 400;

/** Facts about the scan of a correction. */
export interface NamedScan {
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
