import type { StampedNames } from './stamped-names.js';
import type { RefusedItem, StationStatus } from '../values/sync.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Cursor } from '../../ports/record/journal.js';

/** Notes on a station, in addition to its progress. */
export interface StationNotes {
  /** Time of the batch. */
  readonly heardAt: Timestamp;
  readonly status: StationStatus;
  /** The refused items of the batch. */
  readonly refused: readonly RefusedItem[];
}

/** A refused item of a station, with its time. */
export interface RefusedNote extends RefusedItem {
  readonly run: string;
  readonly at: Timestamp;
}

/** Record of a station at its centre. */
export interface StationRecord {
  readonly name: string;
  /** The run that was acknowledged last; empty if there is none. `acknowledged` is its cursor, or 0. */
  readonly run: string;
  readonly acknowledged: Cursor;
  /** Time of its last batch, which also reported its state. */
  readonly heardAt: Timestamp;
  readonly status: StationStatus;
  /** The {@link STATION_REFUSED_MAX} latest refused items. An item that was refused again counts as later. */
  readonly refused: readonly RefusedNote[];
}

/** How many runs of a station are kept: the last acknowledged ones. */
export const STATION_RUNS_MAX = 8;
/** How many refused items of a station are kept. */
export const STATION_REFUSED_MAX = 100;

/**
 * Keeps the progress and the state of each station at its centre.
 *
 * For implementors: other processes may write to the same storage unless your own documentation excludes it, so decide and
 * write in one transaction. A write resolves only when it would survive a power cut, and one that rejects has happened as a
 * whole or not at all. The cost of `progress` and `acknowledge` does not grow with the number of stations. A damaged record
 * counts as none: then the station sends its whole record again. Writes are no changes of a `Journal`.
 */
export interface StationStore {
  /** The cursor up to which a run of a station is acknowledged; 0 if the run is unknown. */
  progress(station: string, run: string): Promise<Cursor>;
  /**
   * Notes that a run of a station is acknowledged up to a cursor, with the state of the station. A smaller cursor than before
   * does not replace the known one, but the notes are still taken. Each cursor of a run has one note of its refused item; a new
   * note replaces it, and counts as the latest. `heardAt` is that of the last call, even if it is earlier.
   *
   * @param station 1 to 200 characters.
   * @param run 1 to 64 characters.
   * @param through 0 to 2^53 - 1.
   */
  acknowledge(station: string, run: string, through: Cursor, notes: StationNotes): Promise<void>;
  /** All stations, ascending by name as UTF-16 code units compare. */
  list(): Promise<readonly StationRecord[]>;
  /** Forgets a station and its progress. Resolves with whether it was known. */
  remove(station: string): Promise<boolean>;
}

/** What stations and centres need. */
export interface SyncFacets {
  /** The names of `mapping` with their stamps. */
  readonly stampedNames: StampedNames;
  readonly stations: StationStore;
}
