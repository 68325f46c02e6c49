import type { AttendanceDay } from '../values/attendance-day.js';
import type { Day } from '../values/day.js';
import type { Name } from '../values/name.js';
import type { ProvisionalScan } from '../values/provisional.js';
import type { TallyId } from '../values/tally-id.js';

/**
 * Everything that is stored, as it was at one moment, whatever is written meanwhile.
 *
 * What it gives can be read in any order and any number of times until it is disposed of; disposing ends what is
 * still being read and never fails. Reading rejects with `STORE_READ_FAILED`, also if the snapshot has been lost, for
 * example because its store was closed or opened anew; with `STORE_CORRUPT`; and with `NOT_OPEN`.
 */
export interface Snapshot extends AsyncDisposable {
  /** All names, ascending by id. */
  names(): AsyncIterable<readonly [id: TallyId, name: Name]>;
  /**
   * The records of the days from one to another, both included, ascending; none if `from` is later. Other days are not
   * read. Without bounds: of all days.
   */
  days(from?: Day, to?: Day): AsyncIterable<AttendanceDay>;
  /** All provisional scans, ascending by sequence. */
  provisional(): AsyncIterable<ProvisionalScan>;
}

/**
 * Takes snapshots of stores that are open.
 *
 * For implementors: several snapshots can be open at a time, and recording goes on at its usual speed meanwhile. What
 * a snapshot takes of memory grows with the largest day, not with the number of days. Whoever takes one disposes of it.
 */
export interface SnapshotSource {
  /** Rejects as the stores do when they read. */
  take(): Promise<Snapshot>;
}
