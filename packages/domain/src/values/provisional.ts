import type { Day } from './day.js';
import type { TallyId } from './tally-id.js';
import type { Timestamp } from './timestamp.js';

/** Between which moments something happened that nobody has seen on a clock that was right. */
export interface Estimate {
  readonly earliest: Timestamp;
  readonly latest: Timestamp;
}

/** Under which day and time a provisional scan is recorded. */
export interface Filing {
  readonly day: Day;
  readonly at: Timestamp;
  /** Given if `at` is not known but only the best guess between two moments. */
  readonly estimate?: Estimate;
  /** Whether the day has it. */
  readonly isRecorded: boolean;
}

/** A scan that was taken while the clock could not be trusted, so that its day and time are not known yet. */
export interface ProvisionalScan {
  /** Place among all provisional scans of a store in the order of taking, from 1. */
  readonly sequence: number;
  readonly id: TallyId;
  readonly reader: string;
  /** The run of the monotonic clock in which it was taken, as `Clock.bootId`. */
  readonly bootId: string;
  /** When it was taken, on `Clock.monotonicMs`. */
  readonly monotonicMs: number;
  /** What the clock that could not be trusted showed. */
  readonly shown: Timestamp;
  /** The latest moment of which was known, when it was taken, that it had passed: a recorded scan, or the release. */
  readonly notBefore: Timestamp;
  /** Given once the clock was right. */
  readonly filing?: Filing;
}

/** A moment on a clock that can be trusted. */
export interface Present {
  readonly now: Timestamp;
  /** When the program was released: nothing was taken before. */
  readonly builtAt: Timestamp;
  readonly bootId: string;
  readonly monotonicMs: number;
}

/** When a scan was taken, as far as it can be known. */
export interface Placement {
  readonly scan: ProvisionalScan;
  readonly at: Timestamp;
  readonly estimate?: Estimate;
}

/**
 * Says when provisional scans were taken, now that the clock is right.
 *
 * For those of the present run of the monotonic clock that is certain, to the second. Those of earlier runs were
 * taken after what was recorded before them, and before the next run began; within a run their distances are known.
 * If what the clock showed lies between the two, as with a clock that goes on from the last shutdown, that is the
 * guess, else the latest moment: most devices that were restarted were restarted at once.
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

function guess(scan: ProvisionalScan, latest: Timestamp, builtAt: Timestamp): Placement {
  const { shown, notBefore } = scan;
  // What was recorded later than now was recorded under a wrong time, and says nothing.
  const known = notBefore <= latest ? notBefore : builtAt;
  const earliest = known <= latest ? known : latest;
  const isPossible = shown >= earliest && shown <= latest;
  return { scan, at: isPossible ? shown : latest, estimate: { earliest, latest } };
}
