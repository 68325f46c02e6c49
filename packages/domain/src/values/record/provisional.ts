import type { Day } from '../day.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/** Bounds of the time of a scan that no trusted clock saw. */
export interface Estimate {
  readonly earliest: Timestamp;
  readonly latest: Timestamp;
}

/** Day and time of a provisional scan. */
export interface Filing {
  readonly day: Day;
  readonly at: Timestamp;
  /** Only if `at` is an estimate: its bounds. */
  readonly estimate?: Estimate;
  /** Whether the scan is recorded under the day. */
  readonly isRecorded: boolean;
}

/** A scan taken while the clock was not trusted: its day and time are unknown until it is filed. */
export interface ProvisionalScan {
  /** Place among all provisional scans of a store in the order of taking, from 1. */
  readonly sequence: number;
  readonly id: TallyId;
  readonly reader: string;
  /** `Clock.bootId` at the tap. */
  readonly bootId: string;
  /** `Clock.monotonicMs` at the tap. */
  readonly monotonicMs: number;
  /** Time that the untrusted clock showed at the tap. */
  readonly shown: Timestamp;
  /** Lower bound known at the tap: the latest recorded scan, or the release of the program. */
  readonly notBefore: Timestamp;
  /** Set when the clock is right. */
  readonly filing?: Filing;
}

/** The present time on a trusted clock. */
export interface Present {
  readonly now: Timestamp;
  /** Release of the program: no scan is earlier. */
  readonly builtAt: Timestamp;
  readonly bootId: string;
  readonly monotonicMs: number;
}

/** Time of a scan, exact or estimated. */
export interface Placement {
  readonly scan: ProvisionalScan;
  readonly at: Timestamp;
  readonly estimate?: Estimate;
}

/**
 * Finds the times of provisional scans, now that the clock is right.
 *
 * For scans of the present run of the monotonic clock the time is exact, to the second. Scans of earlier runs are
 * later than the scans recorded before them, and earlier than the next run; their distances within a run are known.
 * If the time that the clock showed lies between these bounds, as with a clock that goes on from the last shutdown,
 * it is the estimate. Else the latest possible time is, because most devices are restarted at once.
 *
 * @param scans Ascending by sequence.
 */
export function placeScans(scans: readonly ProvisionalScan[], present: Present): Placement[] {
  const placements: Placement[] = [];
  let end = { bootId: present.bootId, at: present.now as number, monotonicMs: present.monotonicMs };
  for (const scan of [...scans].reverse()) {
    const { bootId, monotonicMs } = scan;
    if (bootId !== end.bootId) end = { bootId, at: end.at - end.monotonicMs / 1000, monotonicMs };
    const latest = Math.max(Math.floor(end.at - (end.monotonicMs - monotonicMs) / 1000), 0) as Timestamp;
    placements.push(bootId === present.bootId ? { scan, at: latest } : guess(scan, latest, present.builtAt));
  }
  return placements.reverse();
}

/**
 * Estimates the times of scans that another server left. Known are their distances, and when this server first saw the last one.
 *
 * @param scans Of one run, ascending by sequence.
 * @param seenAt When the last of them was there already, on a trusted clock.
 */
export function placeLeftScans(
  scans: readonly ProvisionalScan[],
  seenAt: Timestamp,
  builtAt: Timestamp,
): Placement[] {
  const end = Math.max(...scans.map(({ monotonicMs }) => monotonicMs));
  return scans.map((scan) => {
    const latest = Math.max(Math.floor(seenAt - (end - scan.monotonicMs) / 1000), 0) as Timestamp;
    return guess(scan, latest, builtAt);
  });
}

function guess(scan: ProvisionalScan, latest: Timestamp, builtAt: Timestamp): Placement {
  const { shown, notBefore } = scan;
  // A scan that was recorded later than now had a wrong time, and is no bound.
  const known = notBefore <= latest ? notBefore : builtAt;
  const earliest = known <= latest ? known : latest;
  const isPossible = shown >= earliest && shown <= latest;
  return { scan, at: isPossible ? shown : latest, estimate: { earliest, latest } };
}
