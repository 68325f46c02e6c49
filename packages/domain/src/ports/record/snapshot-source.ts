import type { AttendanceDay } from '../../values/record/attendance-day.js';
import type { DetailedEntry } from '../../values/record/known-scans.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import type { CarriedRow } from '../../values/people/carried-row.js';
import type { Group } from '../../values/people/group.js';
import type { Person } from '../../values/people/person.js';
import type { Timeline } from '../../values/people/timeline.js';
import type { Name } from '../../values/name.js';
import type { ProvisionalScan } from '../../values/record/provisional.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

/**
 * All stored data of one moment. Later writes do not change it.
 *
 * It can be read in any order and any number of times until it is disposed of. Disposing ends reads that are under
 * way, and never fails. Reading rejects with `STORE_READ_FAILED`, also if the snapshot was lost because its store was
 * closed or opened again; with `STORE_CORRUPT`; and with `NOT_OPEN`.
 */
export interface Snapshot extends AsyncDisposable {
  /** All names, ascending by id. */
  names(): AsyncIterable<readonly [id: TallyId, name: Name]>;
  /**
   * The records of the days from `from` to `to`, both included, ascending; none if `from` is later. Other days are not
   * read. Without bounds: the records of all days.
   */
  days(from?: Day, to?: Day): AsyncIterable<AttendanceDay>;
  /** The results of `DayStore.details` as of that moment, with the bounds of {@link days}. */
  details(from?: Day, to?: Day): AsyncIterable<AttendanceDay<DetailedEntry>>;
  /**
   * The corrections of the days from `from` to `to`, both included, ascending by day and number. Without bounds: the
   * corrections of all days. None if the source has no store of corrections.
   */
  corrections(from?: Day, to?: Day): AsyncIterable<Correction>;
  /** The result of `DayStore.scans` as of that moment. */
  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]>;
  /** All provisional scans, ascending by sequence. */
  provisional(): AsyncIterable<ProvisionalScan>;
  /** All rows of persons, ascending by id (`<` of the texts). None if the source has no store of persons. */
  persons(): AsyncIterable<Person>;
  /** All rows of timelines, ascending by tag. None if the source has no store of persons. */
  timelines(): AsyncIterable<Timeline>;
  /** All groups, ascending by id (`<` of the texts). None if the source has no store of persons. */
  groups(): AsyncIterable<Group>;
  /** All carried rows, ascending by key (`<` of the texts). None if the source has no store of persons. */
  carried(): AsyncIterable<CarriedRow>;
}

/**
 * Takes snapshots of open stores.
 *
 * For implementors: several snapshots can be open at a time, and recording goes on at its usual speed meanwhile. The
 * memory of a snapshot grows with the largest day, not with the number of days. The caller disposes of the snapshot.
 */
export interface SnapshotSource {
  /** Rejects with the codes of reading the stores. */
  take(): Promise<Snapshot>;
}
