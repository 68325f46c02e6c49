import type { AttendanceDay, RecordOutcome } from '../../values/record/attendance-day.js';
import type { DetailedEntry } from '../../values/record/known-scans.js';
import type { FiledScan } from '../../values/record/reading.js';
import type { Day } from '../../values/day.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Revision } from '../revision.js';

/** Origin of a scan, for the journal. */
export interface ScanSource {
  readonly reader?: string | undefined;
  /** Given if the scan was provisional before. */
  readonly filed?: FiledScan;
  /** Flags of the scan, see `KnownScan`. Default: 0. */
  readonly flags?: number;
}

/**
 * Stores who was there on which day.
 *
 * The record of a day is a set of scans, each a tag and a second; {@link addScan} makes its entries of them.
 *
 * For implementors: other processes may write to the same storage unless your own documentation excludes it, so
 * decide and write in one transaction. Scans recorded at the same time must not get lost. A write resolves only when
 * it would survive a power cut. A write that rejects has happened as a whole or not at all, and recording the same
 * scan again is always safe. The cost of `record` grows neither with the size of the day nor with the number of days;
 * `list` does not read entries. Arguments are values of the domain and need no further check. Results belong to the
 * caller, and later writes do not change them.
 */
export interface DayStore {
  /**
   * Adds one scan to a day: `counted` if the day had no scan of that tag, else `already-counted`. Recording a scan
   * again changes nothing, except that its flags are joined bit by bit.
   *
   * @param source A store with a `Journal` writes it there; apart from the flags, nothing else depends on it.
   */
  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome>;
  /**
   * Merges entries of a backup into a day with {@link mergeEntries}, all of them or none. Then the day has the first
   * and the last scan of each entry, and its known scans, with their flags. Without entries nothing happens.
   */
  merge(day: Day, entries: readonly DetailedEntry[]): Promise<void>;
  /** The record of a day, `undefined` if it has none. Entries ascend by first scan, ties by time of recording. */
  load(day: Day): Promise<AttendanceDay | undefined>;
  /** The result of {@link load}, with the known scans of each entry: all that {@link merge} needs to make the same day. */
  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined>;
  /**
   * The seconds of the single known scans of a tag on a day, ascending; none if there is no entry. The first and the last
   * scan of the entry are always known. Scans in between that only the count of a merged entry has are not.
   */
  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]>;
  /** The days with a record from `from` to `to`, both included, ascending; none if `from` is later. */
  list(from: Day, to: Day): Promise<readonly Day[]>;
  /** Removes the record of a day. Resolves with whether there was one. A new record of the day starts empty. */
  remove(day: Day): Promise<boolean>;
  /** Changes whenever the result of `load(day)` or `details(day)` changes. */
  dayRevision(day: Day): Promise<Revision>;
  /**
   * Changes whenever the result of `list` changes, for any bounds. It stays the same while days of the list only get
   * more scans.
   */
  listRevision(): Promise<Revision>;
}
