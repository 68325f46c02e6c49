import type { Subscribable } from '../../subscribable.js';
import type { Change } from '../../values/record/change.js';
import { DAY_SECONDS } from '../../values/timestamp.js';

/**
 * Place of a change in a journal: a whole number, 1 or more. 0 is the place before the first change.
 */
export type Cursor = number;

export interface JournalEntry {
  readonly cursor: Cursor;
  readonly change: Change;
}

/**
 * Changes after a cursor; or the reason why they are not known: `too-old` if the changes right after the cursor were
 * removed or are damaged, `ahead` if the cursor is beyond the end of the journal, for example because an older copy of the
 * store is in use again. Then read the record, and go on from `next`, or without it from {@link Journal.latest}, asked before the
 * record is read.
 */
export type JournalPage =
  | { readonly isKnown: true; readonly entries: readonly JournalEntry[] }
  | { readonly isKnown: false; readonly reason: 'too-old' | 'ahead'; readonly next?: Cursor };

/** How many changes a journal keeps, and for how long. */
export interface JournalLimits {
  /** Changes, 1000..10000000, default 100000. */
  readonly limit?: number;
  /** Days, 1..3650, default 90. */
  readonly days?: number;
}

/**
 * The durable list of all changes of the record, in the order in which they became visible. Followers read it, and each remembers
 * its position.
 *
 * For implementors:
 *
 * - The stores of the record write an entry and the changed data in one transaction. Each change of the data has exactly one
 *   entry; a write that changes nothing has none. The entries of one transaction are in the order of its changes.
 * - Cursors ascend. They may have gaps, but no gap is filled later: a reader that has seen a cursor has seen all smaller ones,
 *   even if several processes write. No cursor is given twice, even after entries were removed.
 * - A change can be read only when it would survive a power cut.
 * - When there are more entries than the limits allow, the oldest ones are removed. The latest one stays. Entries also go with
 *   their data: removing the record of a day removes the entries of its scans, removing corrections removes their entries, and
 *   erasing a person removes the entries of the tag. An erasure is one change for each tag, written when all data of the tag is
 *   gone.
 */
export interface Journal {
  /**
   * Emits when there are more changes to read. It is a hint: it may be late, missing or wrong, so also read from time to
   * time without it.
   */
  readonly appended: Subscribable<void>;
  /**
   * Unique name of this journal: 1 to 64 characters of `A-Z`, `a-z`, `0-9` and `_`. It stays the same as long as the
   * journal exists; a repair may begin another journal, with another origin.
   */
  origin(): Promise<string>;
  /** The cursor of the latest change; 0 if there was none. */
  latest(): Promise<Cursor>;
  /** How many changes came after a cursor, those that were removed since included; 0 if it is the latest, or beyond. */
  countAfter(cursor: Cursor): Promise<number>;
  /**
   * The changes after a cursor, ascending; none if it is the latest one.
   *
   * @param limit Maximum number of results, at least 1. A page may have fewer; only a page at the end is empty.
   */
  read(after: Cursor, limit: number): Promise<JournalPage>;
  /**
   * The last position that a consumer noted; `undefined` if it never noted one. After a power cut it may be smaller. It is 0
   * if the stored position is damaged.
   */
  position(consumer: string): Promise<Cursor | undefined>;
  /**
   * Notes the position of a consumer: it has handled this change and all changes before it. The position is durable with
   * the next change of the record at the latest, or when the journal closes. So not every call costs a write of its own.
   *
   * @param consumer 1 to 200 characters.
   */
  advance(consumer: string, cursor: Cursor): Promise<void>;
}

export const JOURNAL_LIMIT_RANGE = { lowest: 1_000, highest: 10_000_000, default: 100_000 } as const;
export const JOURNAL_DAYS_RANGE = { lowest: 1, highest: 3_650, default: 90 } as const;

/** Maximum number and age of the entries in a journal. */
export interface JournalBounds {
  readonly limit: number;
  readonly seconds: number;
}

/** @throws {RangeError} if a limit is out of its range. */
export function journalBounds({
  limit = JOURNAL_LIMIT_RANGE.default,
  days = JOURNAL_DAYS_RANGE.default,
}: JournalLimits): JournalBounds {
  requireRange('limit', limit, JOURNAL_LIMIT_RANGE);
  requireRange('days', days, JOURNAL_DAYS_RANGE);
  return { limit, seconds: days * DAY_SECONDS };
}

function requireRange(
  name: string,
  value: number,
  { lowest, highest }: typeof JOURNAL_LIMIT_RANGE | typeof JOURNAL_DAYS_RANGE,
): void {
  if (value >= lowest && value <= highest) return;
  throw new RangeError(`${name} of the journal is from ${lowest} to ${highest}; got ${value}`);
}
