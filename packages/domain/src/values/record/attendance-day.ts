import type { Day } from '../day.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/** One tag on one day. */
export interface Entry {
  readonly id: TallyId;
  /** The earliest scan. */
  readonly first: Timestamp;
  /** The latest scan; equal to `first` when there was one. */
  readonly last: Timestamp;
  /** Number of scans, at least 1. Scans of one tag in one second are one scan. */
  readonly count: number;
  /** Whether a correction changed the entry. Only views that apply corrections set it; stores never do. */
  readonly isCorrected?: true;
}

/** The record of one day: its entries in the order of their first scan, ties in the order of recording. */
export interface AttendanceDay<E extends Entry = Entry> {
  readonly day: Day;
  readonly entries: readonly E[];
}

/** Largest number of scans of an entry: one in each second of 31 years. */
export const ENTRY_COUNT_MAX = 1_000_000_000;

/** Outcome of recording a scan: the first of that tag on that day, or a later one. */
export type RecordOutcome = 'counted' | 'already-counted';

/** Adds a scan to an entry that does not have it yet. `undefined` stands for no entry. */
export function addScan(entry: Entry | undefined, id: TallyId, at: Timestamp): Entry {
  if (entry === undefined) return { id, first: at, last: at, count: 1 };
  return {
    id,
    first: at < entry.first ? at : entry.first,
    last: at > entry.last ? at : entry.last,
    // An imported count may be the largest one already.
    count: Math.min(entry.count + 1, ENTRY_COUNT_MAX),
  };
}

/**
 * Merges two entries of the same tag on the same day. Merging is idempotent and commutative, so a backup can be
 * restored over present data, and twice. The count becomes the larger one, which is a lower bound: entries do not say
 * which scans they share.
 */
export function mergeEntries(entry: Entry | undefined, { id, first, last, count }: Entry): Entry {
  if (entry === undefined) return { id, first, last, count };
  return {
    id,
    first: first < entry.first ? first : entry.first,
    last: last > entry.last ? last : entry.last,
    count: Math.max(entry.count, count),
  };
}
