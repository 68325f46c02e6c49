import type { Transaction } from '../transaction.js';

/**
 * Writes items, all in the order given, and returns what became of each. Items that wait one behind the other for the same
 * function are handed to it together, so it is one for all calls of a kind. It may be called again with the same items.
 */
export interface Batch<I, O> {
  (transaction: Transaction, items: readonly I[]): Promise<readonly O[]>;
  /** Its first reads are sent with the lock, which spares a round trip: it looks at the row of the site only after them. */
  readonly readsFirst?: boolean;
  /**
   * It neither reads nor changes what others of a group do, so its items are written together behind them, wherever they came
   * between. Default: no.
   */
  readonly isApart?: boolean;
}
