import type { Transaction } from '../transaction.js';

/**
 * Writes items in the given order, and returns the outcome of each. Items that wait one after another for the same function are
 * passed to it together, so all calls of a kind must use one function. It may be called again with the same items.
 */
export interface Batch<I, O> {
  (transaction: Transaction, items: readonly I[]): Promise<readonly O[]>;
  /**
   * Whether its first reads are sent together with the lock, which saves a round trip. Such a batch uses the row of the site only
   * after them.
   */
  readonly readsFirst?: boolean;
  /**
   * Whether it neither reads nor changes rows of other batches. If so, its items are written together after all others,
   * regardless of their order. Default: no.
   */
  readonly isApart?: boolean;
}
