import type { Transaction } from '../transaction.js';

/**
 * Writes items, all in the order given, and returns the outcome of each. Items that wait one after the other for the same function
 * are handed to it together, so all calls of a kind share one function. It may be called again with the same items.
 */
export interface Batch<I, O> {
  (transaction: Transaction, items: readonly I[]): Promise<readonly O[]>;
  /** Its first reads are sent with the lock, which spares a round trip: it looks at the row of the site only after them. */
  readonly readsFirst?: boolean;
  /**
   * Whether it neither reads nor changes rows of other batches, so that its items are written together after them, whatever their
   * order was. Default: no.
   */
  readonly isApart?: boolean;
}
