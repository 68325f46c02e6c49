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
  /** Number of the scan among all provisional scans of a store, in the order of the taps, from 1. */
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
  /** Set when the clock is trusted. */
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
 * Finds the times of provisional scans, now that the clock is trusted.
 *
 * For scans of the present run of the monotonic clock the time is exact, to the second. Scans of earlier runs are later
 * than the scans recorded before them, and earlier than the next run; their distances within a run are known. If the
 * shown time lies between these bounds, as on a clock that goes on from the last shutdown, it becomes the time. Else
 * the latest possible time does, because most devices are restarted at once.
 *
 * @param scans Ascending by sequence.
 */
export function placeScans(scans: readonly ProvisionalScan[], present: Present): Placement[] {
  const placements: Placement[] = [];
  let end = { bootId: present.bootId, at: present.now as number, monotonicMs: present.monotonicMs };
  for (const scan of [...scans].reverse()) {
    const { bootId, monotonicMs } = scan;
    if (bootId !== end.bootId) end = { bootId, at: end.at - end.monotonicMs / 1000, monotonicMs };
    // A scan of a restored backup may have a later moment than the present one.
    const passedMs = Math.max(end.monotonicMs - monotonicMs, 0);
    const latest = Math.max(Math.floor(end.at - passedMs / 1000), 0) as Timestamp;
    placements.push(bootId === present.bootId ? { scan, at: latest } : guess(scan, latest, present.builtAt));
  }
  return placements.reverse();
}

/**
 * Estimates the times of scans that another server left. Their distances are known, and the time at which this server first saw
 * the last scan.
 *
 * @param scans Of one run, ascending by sequence.
 * @param seenAt Time, by a trusted clock, at which the last scan was already in the store.
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
  // A bound later than now comes from a scan with a wrong time, and does not count.
  const known = notBefore <= latest ? notBefore : builtAt;
  const earliest = known <= latest ? known : latest;
  const isPossible = shown >= earliest && shown <= latest;
  return { scan, at: isPossible ? shown : latest, estimate: { earliest, latest } };
}
