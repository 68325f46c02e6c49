import type { AttendanceDay, Entry, RecordOutcome } from '../values/attendance-day.js';
import type { Day } from '../values/day.js';
import type { Lifecycle } from '../lifecycle.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import type { Revision } from './revision.js';

/**
 * Keeps who was there on which day.
 *
 * A day's record is a set of scans, each a tag and a second; its entries are what {@link addScan} makes of them.
 *
 * For implementors: other processes may write to the same storage unless your own documentation rules it out,
 * so decide and write in one transaction; scans recorded at the same time lose nothing. A write resolves only
 * when it would survive a power cut. A write that rejects is either there as a whole or not at all, and
 * recording the same scan again is always safe. The cost of `record` grows neither with the size of the day nor
 * with the number of days; `list` does not read entries. Arguments are values of the domain and need no further
 * check; what is returned belongs to the caller and later writes do not change it.
 *
 * Beside the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface DayStore extends Lifecycle {
  /**
   * Adds one scan to a day: `counted` if the day held no scan of that tag, else `already-counted`. Recording a
   * scan that the day holds already changes nothing.
   */
  record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome>;
  /**
   * Joins entries from elsewhere (a backup) into a day as {@link mergeEntries} says, all of them or none.
   * Afterwards the day holds the first and the last scan of each. No entries: nothing happens.
   */
  merge(day: Day, entries: readonly Entry[]): Promise<void>;
  /** The record of a day, `undefined` if it has none. Entries ascend by first scan, ties by time of recording. */
  load(day: Day): Promise<AttendanceDay | undefined>;
  /** The days that hold a record from `from` to `to`, both included, ascending; none if `from` is later. */
  list(from: Day, to: Day): Promise<readonly Day[]>;
  /** Removes the record of a day and says whether there was one. A day that is recorded anew starts empty. */
  remove(day: Day): Promise<boolean>;
  /** Changes whenever what `load(day)` returns changes. */
  dayRevision(day: Day): Promise<Revision>;
  /** Changes whenever what `list` returns, for any bounds, changes. It stays while known days only get more scans. */
  listRevision(): Promise<Revision>;
}
