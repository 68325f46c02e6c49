import type { Day } from './day.js';
import type { TallyId } from './tally-id.js';
import type { Timestamp } from './timestamp.js';

/** One tag on one day. */
export interface Entry {
  readonly id: TallyId;
  /** The earliest scan. */
  readonly first: Timestamp;
  /** The latest scan; equal to `first` when there was one. */
  readonly last: Timestamp;
  /** Number of scans, at least 1. Scans of one tag in one second are one scan. */
  readonly count: number;
}

/** The record of one day: its entries in the order of their first scan, ties in the order of recording. */
export interface AttendanceDay {
  readonly day: Day;
  readonly entries: readonly Entry[];
}

/** What recording a scan came to: the first of that tag on that day, or one more. */
export type RecordOutcome = 'counted' | 'already-counted';

/** The entry after a scan that it does not hold yet. `undefined` stands for no entry. */
export function addScan(entry: Entry | undefined, id: TallyId, at: Timestamp): Entry {
  if (entry === undefined) return { id, first: at, last: at, count: 1 };
  return {
    id,
    first: at < entry.first ? at : entry.first,
    last: at > entry.last ? at : entry.last,
    // An imported count may be the largest number there is.
    count: Math.min(entry.count + 1, Number.MAX_SAFE_INTEGER),
  };
}

/**
 * Joins two accounts of the same tag on the same day. Joining is idempotent and commutative, so a backup can be
 * restored over a living record, twice too. The count becomes the larger one, because the accounts do not say
 * which scans they share; it is therefore a lower bound.
 */
export function mergeEntries(entry: Entry | undefined, other: Entry): Entry {
  if (entry === undefined) return other;
  return {
    id: entry.id,
    first: other.first < entry.first ? other.first : entry.first,
    last: other.last > entry.last ? other.last : entry.last,
    count: Math.max(entry.count, other.count),
  };
}
