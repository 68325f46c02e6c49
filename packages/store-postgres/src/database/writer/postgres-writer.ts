import type { ConsumerPositions } from '@tallybook/domain/record';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connections } from '../../connection/connections.js';
import { isConflict, isLost, toWriteError } from '../../connection/postgres-errors.js';
import type { SiteRow } from '../site-statements.js';
import {
  FirstAnswers,
  LostAnswer,
  Refused,
  WriteQueue,
  type Batch,
  type Outcome,
  type QueuedWrite,
} from './write-queue.js';
import type { GivenNumbers } from './given-numbers.js';
import { GroupCommit, type GroupCommitOptions } from './group-commit.js';

export interface WriterOptions extends GroupCommitOptions {
  /** How long a write is tried again while the database is away, in milliseconds. */
  readonly retryMs: number;
}

/** Turns of the event loop before the next group begins, so that the next requests of answered clients join it. */
const TURNS_TO_JOIN = 3;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * The writer of one server at a site. Writes that wait while a transaction is under way form the next transaction.
 *
 * ```
 * submit -> queue -> GroupCommit: one transaction -> acknowledge all
 * ```
 *
 * After a conflict, or if the connection is lost before COMMIT, the whole group runs again. If the connection is lost during
 * COMMIT, the number of the transaction in the database shows whether it happened. If so, the callers get the results from before
 * COMMIT.
 */
export class PostgresWriter {
  readonly #positions: ConsumerPositions;
  readonly #options: WriterOptions;
  readonly #onCommitted: (row: SiteRow, told: number) => void;
  readonly #commit: GroupCommit;
  readonly #queue = new WriteQueue();
  #isRunning = false;
  /** Whether the last group failed because the database was away: then the next one is not retried for so long. */
  #isAway = false;
  /** Rejected groups that may have been written. */
  readonly #unanswered: { readonly group: readonly QueuedWrite[]; readonly lost: LostAnswer }[] = [];
  readonly #firstAnswers = new FirstAnswers();

  constructor(
    connections: Connections,
    positions: ConsumerPositions,
    options: WriterOptions,
    onCommitted: (row: SiteRow, told: number) => void,
  ) {
    this.#positions = positions;
    this.#options = options;
    this.#onCommitted = onCommitted;
    this.#commit = new GroupCommit(connections, positions, options);
  }

  get numbers(): GivenNumbers {
    return this.#commit.numbers;
  }

  /**
   * Writes an item durably, in the order of the calls.
   *
   * @param rows About how many rows the item changes.
   * @param key Identifies the write: after a lost answer, a second call with the same key gets the outcome of the first one.
   */
  submit<I, O>(batch: Batch<I, O>, item: I, rows = 3, key?: string): Promise<O> {
    return new Promise<unknown>((resolve, reject) => {
      this.#queue.add({
        batch: batch as Batch<unknown, unknown>,
        item,
        rows,
        key,
        isAlone: false,
        resolve,
        reject,
      });
      if (!this.#isRunning) void this.#run();
    }) as Promise<O>;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Writes that are called in the same turn join the group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      await this.#writeGroup(this.#queue.takeGroup());
      // Requests that arrive in these turns join the group: a transaction costs more than a row.
      for (let turn = 0; turn < TURNS_TO_JOIN && this.#queue.length > 0; turn++) await endOfTurn();
    }
    this.#isRunning = false;
  }

  /** Never rejects: each item of the group resolves or rejects. */
  async #writeGroup(all: readonly QueuedWrite[]): Promise<void> {
    const giveUpAt = performance.now() + (this.#isAway ? 0 : this.#options.retryMs);
    let group = all;
    let doubt: LostAnswer | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; group.length > 0;) {
      try {
        const known = doubt === undefined ? undefined : await this.#commit.outcomeOf(doubt);
        doubt = undefined;
        if (known === undefined) await this.#settleUnanswered();
        this.#acknowledge(group, known ?? (await this.#commit.write(group)));
        this.#isAway = false;
        return;
      } catch (error) {
        if (error instanceof Refused) {
          group = refuse(group, error, this.#options.target);
          continue;
        }
        if (error instanceof LostAnswer) doubt = error;
        const cause = error instanceof LostAnswer ? error.cause : error;
        const isAway = isLost(cause);
        if (!(isAway || isConflict(cause)) || performance.now() >= giveUpAt) {
          this.#isAway = isAway;
          if (doubt !== undefined) this.#unanswered.push({ group, lost: doubt });
          for (const { reject } of group) reject(toWriteError(this.#options.target, cause));
          return;
        }
      }
      await delay(pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  #acknowledge(group: readonly QueuedWrite[], { results, row, told, positions }: Outcome): void {
    this.#positions.settle(positions);
    for (const [index, { resolve, key }] of group.entries()) {
      resolve(this.#firstAnswers.takeOr(key, results[index]));
    }
    this.#onCommitted(row, told);
  }

  /** Finds out whether rejected groups of unknown outcome were written. Rejects with the error of the connection. */
  async #settleUnanswered(): Promise<void> {
    for (const { group, lost } of [...this.#unanswered]) {
      const known = await this.#commit.outcomeOf(lost).catch((error: unknown) => {
        throw error instanceof LostAnswer ? error.cause : error;
      });
      this.#unanswered.shift();
      for (const [index, { key }] of group.entries()) {
        if (known !== undefined && key !== undefined) this.#firstAnswers.add(key, known.results[index]);
      }
    }
  }
}

/** The rest of a group without a failed item. Several items that failed together stay, to be tried one by one. */
function refuse(
  group: readonly QueuedWrite[],
  { items, cause }: Refused,
  target: string,
): readonly QueuedWrite[] {
  if (items.some(({ isAlone }) => !isAlone) && items.length > 1) {
    for (const item of items) item.isAlone = true;
    return group;
  }
  for (const { reject } of items) reject(toRefusal(target, cause));
  return group.filter((write) => !items.includes(write));
}

/** The error for the caller. A programming mistake is not translated. */
function toRefusal(target: string, cause: unknown): unknown {
  return cause instanceof TypeError || cause instanceof RangeError ? cause : toWriteError(target, cause);
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
