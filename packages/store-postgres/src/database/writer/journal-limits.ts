import type { JournalBounds } from '@tallybook/domain';
import { selectOldest, deleteThrough } from '../site-statements.js';
import type { Transaction } from '../transaction.js';

/** Surplus changes that are left before a removal is worth its cost. */
const REMOVED_AT_A_TIME = 100;
const REMOVED_AT_MOST = 1_000;
/** Seconds between two checks of the age of the oldest changes. */
const LOOKED_EVERY = 60;

/** Keeps the journal of a site within its limits of number and age. */
export class JournalLimits {
  readonly #bounds: JournalBounds;
  /** Time of the last check of the age of the oldest changes. */
  #lookedAt = 0;

  constructor(bounds: JournalBounds) {
    this.#bounds = bounds;
  }

  /**
   * Removes the oldest changes that exceed the limit of number or age: some of them at each call.
   *
   * @param now The present time, in seconds since 1970.
   */
  async trim(transaction: Transaction, now: number): Promise<void> {
    const { row, told } = transaction;
    const surplus = Math.max(row.kept + told.length - this.#bounds.limit, 0);
    const isDue = surplus >= REMOVED_AT_A_TIME || Math.abs(now - this.#lookedAt) >= LOOKED_EVERY;
    // Without a new change, the latest one could be removed.
    if (told.length === 0 || !isDue) return;
    // Up to twice as many as are added, so that a journal that is far too long becomes shorter.
    const most = Math.min(Math.max(2 * told.length, REMOVED_AT_A_TIME), REMOVED_AT_MOST);
    const oldest = await transaction.rows<OldestRow>(selectOldest, most);
    const isExpired = ({ writtenAt }: OldestRow, index: number): boolean =>
      index < surplus || writtenAt < now - this.#bounds.seconds;
    const kept = oldest.findIndex((each, index) => !isExpired(each, index));
    // If all of the read changes have expired, there may be more.
    if (kept !== -1 || oldest.length < most) this.#lookedAt = now;
    const expired = kept === -1 ? oldest : oldest.slice(0, kept);
    const last = expired.at(-1);
    if (last === undefined) return;
    await transaction.write(deleteThrough, last.seq);
    transaction.forget(expired.length, last.seq);
  }
}

interface OldestRow {
  readonly seq: number;
  readonly writtenAt: number;
}
