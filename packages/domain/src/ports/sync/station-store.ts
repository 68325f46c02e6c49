import type { Lifecycle } from '../../lifecycle.js';
import type { RefusedItem, StationStatus } from '../../values/sync/sync.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Cursor } from '../record/journal.js';

/** Notes on a station, in addition to its progress. */
export interface StationNotes {
  /** When it was heard. */
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

/** What keys of erasures of a station are noted under. */
export interface KeyClaim extends Pick<StationNotes, 'heardAt' | 'status'> {
  /** How many a station may have. */
  readonly most: number;
  /** When they are forgotten. */
  readonly until: Timestamp;
}

/** A key of erasures that a station brought, and when that is forgotten. */
export type StationKey = readonly [key: string, until: Timestamp];

/** Record of a station at its centre. */
export interface StationRecord {
  readonly name: string;
  /** The run that was acknowledged last, and how far; empty and 0 if none was. */
  readonly run: string;
  readonly acknowledged: Cursor;
  /** Time of its last batch, in which it also reported its state. */
  readonly heardAt: Timestamp;
  readonly status: StationStatus;
  /** The {@link STATION_REFUSED_MAX} latest refused items, in the order of coming. */
  readonly refused: readonly RefusedNote[];
  /** The keys of erasures that are noted of it, in the order of coming; some of them may be over. */
  readonly keys: readonly StationKey[];
}

/** How many runs of a station are kept: those that were acknowledged last. */
export const STATION_RUNS_MAX = 8;
/** How many refused items of a station are kept. */
export const STATION_REFUSED_MAX = 100;

/**
 * Keeps what a centre knows of the stations that send to it: how far each got, and its state.
 *
 * For implementors: other processes may write to the same storage unless your own documentation excludes it, so decide and
 * write in one transaction. A write resolves only when it would survive a power cut, and one that rejects has happened as a
 * whole or not at all. The cost of `progress` and `acknowledge` does not grow with the number of stations. A damaged record
 * counts as none: the station sends its whole record again, which is better than never. Writes are no changes of a `Journal`.
 *
 * In addition to the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface StationStore extends Lifecycle {
  /** How far a run of a station was acknowledged; 0 if nothing is known of it. */
  progress(station: string, run: string): Promise<Cursor>;
  /**
   * Notes that a run of a station is taken up to a cursor, with the state of the station. A smaller cursor than before does not
   * replace the known one; the notes are taken all the same. Each cursor of a run has one note of what was refused: a later one
   * replaces it, and counts as the latest. `heardAt` is that of the last call, even if it is earlier.
   *
   * @param station 1 to 200 characters.
   * @param run 1 to 64 characters.
   * @param through 0 to 2^53 - 1.
   */
  acknowledge(station: string, run: string, through: Cursor, notes: StationNotes): Promise<void>;
  /**
   * Notes which keys of erasures a station was the first to bring, as far as it may have so many; those whose time is over at
   * `heardAt` are forgotten. What is noted already keeps its time. How far the station got does not change, and notes of the station that
   * are there stay.
   *
   * @param keys In the order in which they are noted; each 32 hexadecimal digits in lower case.
   * @returns Those of the keys that are noted of the station now, in this order.
   */
  claimKeys(station: string, keys: readonly string[], claim: KeyClaim): Promise<readonly string[]>;
  /** All stations, ascending by name as UTF-16 code units compare. */
  list(): Promise<readonly StationRecord[]>;
  /** Forgets a station, and how far it got. Resolves with whether it was known. */
  remove(station: string): Promise<boolean>;
}
