import type { ConsumerPosition } from '@tallybook/domain';
import type { SiteRow } from '../site-row.js';
import type { QueuedWrite } from './write-queue.js';

/** Outcome of a transaction. The callers get its results when it is certain that it happened. */
export interface Outcome {
  /** Counts the transactions of this writer from 1; 0 if nothing was written. */
  readonly number: number;
  readonly results: readonly unknown[];
  readonly row: SiteRow;
  readonly told: number;
  readonly positions: readonly ConsumerPosition[];
}

/** The connection was lost during COMMIT, so it is not known yet whether the transaction happened. */
export class LostAnswer extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, cause: unknown) {
    super('the answer to COMMIT was lost', { cause });
    this.outcome = outcome;
  }
}

/** Some items have failed. Without them, the other items of the group may succeed. */
export class Refused extends Error {
  readonly items: readonly QueuedWrite[];

  constructor(items: readonly QueuedWrite[], cause: unknown) {
    super('some writes of a group failed', { cause });
    this.items = items;
  }
}
