import { requireOption } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { Subscription } from '../subscribable.js';

/** State of a backlog. */
export interface BacklogState {
  readonly waiting: number;
  /** Maximum of `waiting`. */
  readonly limit: number;
  /**
   * Number of items refused because the backlog was full: in the present outage, or in the last one if there is none
   * now.
   */
  readonly refused: number;
}

export const BACKLOG_DEFAULT_LIMIT = 10_000;
/** Largest limit of a backlog. */
export const BACKLOG_MAX_LIMIT = 1_000_000;

/** Milliseconds from a failed attempt to the next one. */
const RETRY_MS = 2_000;
/** How many writes are in flight at a time, so that a store can commit them together. */
const GROUP_SIZE = 256;

/**
 * Result of an attempt to write: `done`; `stuck`: this item cannot be written, but others may be; or `unwell`: nothing can
 * be written now.
 */
export interface Attempt {
  readonly result: 'done' | 'stuck' | 'unwell';
}

/**
 * Keeps unwritten items in memory, and retries them in order until they are written.
 *
 * When it is full, new items are refused. Nothing survives the end of the process.
 */
export class Backlog<T> {
  readonly #write: (item: T) => Promise<Attempt>;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #waiting: T[] = [];
  #refused = 0;
  #attempt: Promise<void> | undefined;
  #outdating: Promise<void> | undefined;
  #retry: Subscription | undefined;

  /**
   * @param write Must not reject.
   * @param limit Maximum number of items, 0..1000000.
   * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
   */
  constructor(write: (item: T) => Promise<Attempt>, clock: Clock, limit: number) {
    this.#write = write;
    this.#clock = clock;
    this.#limit = requireOption('backlogLimit', limit, 0, BACKLOG_MAX_LIMIT);
  }

  get state(): BacklogState {
    return { waiting: this.#waiting.length, limit: this.#limit, refused: this.#refused };
  }

  /** The waiting items, in order. */
  get items(): readonly T[] {
    return this.#waiting;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Adds an item at the end of the queue, and says whether there was room. */
  add(item: T): boolean {
    if (this.#waiting.length >= this.#limit) {
      this.#refused++;
      return false;
    }
    if (this.isEmpty) this.#refused = 0;
    this.#waiting.push(item);
    this.#retryLater();
    return true;
  }

  /**
   * Tries to write the waiting items, after a running {@link outdate}. A running attempt may have failed at a store that is well
   * by now, so another attempt follows it: one for all callers meanwhile. Resolves when that attempt is over.
   */
  async attempt(): Promise<void> {
    if (this.#attempt !== undefined) await this.#attempt;
    while (this.#outdating !== undefined) await this.#outdating;
    this.#attempt ??= this.#drain().finally(() => {
      this.#attempt = undefined;
      this.#retryLater();
    });
    await this.#attempt;
  }

  /**
   * Does work that outdates some items, then drops these items. No item is written meanwhile. If the work rejects, this
   * method rejects with the same error and drops nothing.
   *
   * @returns The result of the work, and how many items were dropped.
   */
  async outdate<R>(
    work: () => Promise<R>,
    isOutdated: (item: T) => boolean,
  ): Promise<{ readonly result: R; readonly dropped: number }> {
    while (this.#isBusy) await (this.#attempt ?? this.#outdating);
    this.stop();
    const outdating = work().then((result) => {
      const kept = this.#waiting.filter((item) => !isOutdated(item));
      const dropped = this.#waiting.length - kept.length;
      this.#waiting.splice(0, this.#waiting.length, ...kept);
      return { result, dropped };
    });
    this.#outdating = Promise.allSettled([outdating]).then(() => {
      this.#outdating = undefined;
      this.#retryLater();
    });
    return outdating;
  }

  /** Stops retrying. */
  stop(): void {
    this.#retry?.unsubscribe();
    this.#retry = undefined;
  }

  get #isBusy(): boolean {
    return (this.#attempt ?? this.#outdating) !== undefined;
  }

  async #drain(): Promise<void> {
    this.stop();
    for (let start = 0; start < this.#waiting.length;) {
      const group = this.#waiting.slice(start, start + GROUP_SIZE);
      const attempts = await Promise.all(group.map((item) => this.#write(item)));
      const left = group.filter((_, index) => attempts[index]?.result !== 'done');
      this.#waiting.splice(start, group.length, ...left);
      if (attempts.some(({ result }) => result === 'unwell')) return;
      start += left.length;
    }
  }

  #retryLater(): void {
    if (this.isEmpty || this.#isBusy) return;
    this.#retry ??= this.#clock.schedule(RETRY_MS, () => void this.attempt());
  }
}
