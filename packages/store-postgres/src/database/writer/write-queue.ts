import type { ConsumerPosition } from '@tallybook/domain/record';
import type { Transaction } from '../transaction.js';
import type { SiteRow } from '../site-statements.js';

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

/** Most rows that a transaction changes, unless one item alone changes more. */
export const ROWS_MAX = 1_000;

/** An item that is waiting to be written. */
export interface QueuedWrite {
  readonly batch: Batch<unknown, unknown>;
  readonly item: unknown;
  /** About how many rows it changes. */
  readonly rows: number;
  readonly key: string | undefined;
  /** Whether it must be written alone, because it failed together with others. */
  isAlone: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Waiting items. Decides which of them share a transaction. */
export class WriteQueue {
  readonly #waiting: QueuedWrite[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  add(write: QueuedWrite): void {
    this.#waiting.push(write);
  }

  /** Takes the items of the next transaction, in the order in which it writes them. */
  takeGroup(): readonly QueuedWrite[] {
    let rows = 0;
    const end = this.#waiting.findIndex((write, index) => {
      rows += write.rows;
      return index > 0 && rows > ROWS_MAX;
    });
    const group = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    const isApart = ({ batch }: QueuedWrite): boolean => batch.isApart === true;
    return [...group.filter((write) => !isApart(write)), ...group.filter(isApart)];
  }
}

/** Items of a group that are written together: successive items of the same kind. */
export function runsOf(group: readonly QueuedWrite[]): readonly (readonly QueuedWrite[])[] {
  const runs: QueuedWrite[][] = [];
  for (const write of group) {
    const last = runs.at(-1)?.[0];
    if (last?.batch === write.batch && !last.isAlone && !write.isAlone) {
      runs.at(-1)?.push(write);
    } else {
      runs.push([write]);
    }
  }
  return runs;
}

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

/** Kept outcomes: more than a server can have unanswered at a time. */
const MOST = 10_000;

/**
 * Outcomes of writes that happened although they were rejected: their outcome was unknown at that time. A repeat of such a write
 * gets its first outcome, so that a counted scan stays counted.
 */
export class FirstAnswers {
  readonly #answers = new Map<string, unknown>();

  add(key: string, answer: unknown): void {
    this.#answers.set(key, answer);
    // A `Map` gives the oldest key first.
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** The first answer, only once; otherwise the present one. */
  takeOr(key: string | undefined, present: unknown): unknown {
    if (key === undefined || !this.#answers.has(key)) return present;
    const first = this.#answers.get(key);
    this.#answers.delete(key);
    return first;
  }
}
