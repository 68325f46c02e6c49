import type { ConsumerPosition } from '@tallybook/domain';
import type { SiteRow } from '../site-row.js';
import type { QueuedWrite } from './write-queue.js';

/** Outcome of a transaction: its results are handed out when it is known that it happened. */
export interface Outcome {
  readonly results: readonly unknown[];
  readonly row: SiteRow;
  readonly told: number;
  readonly positions: readonly ConsumerPosition[];
}

/** The connection was lost amid COMMIT, so nobody knows yet whether it happened. */
export class LostAnswer extends Error {
  readonly outcome: Outcome;
  readonly number: number;

  constructor(outcome: Outcome, number: number, cause: unknown) {
    super('the answer to COMMIT was lost', { cause });
    this.outcome = outcome;
    this.number = number;
  }
}

/** Items without which the others may succeed. */
export class Refused extends Error {
  readonly items: readonly QueuedWrite[];

  constructor(items: readonly QueuedWrite[], cause: unknown) {
    super('some writes of a group failed', { cause });
    this.items = items;
  }
}
