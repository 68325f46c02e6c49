import { setTimeout as pause } from 'node:timers/promises';
import {
  counted,
  JournalConsumer,
  ManagedResource,
  TallybookError,
  type Change,
  type Cursor,
  type JournalEntry,
  type Name,
  type ResetReason,
  type TallyId,
} from '@tallybook/domain';
import { describeChange, type Publication } from './publication.js';
import type { PublisherDependencies } from './publisher.js';

export interface ChangeFeedOptions {
  /** Name of the publisher. */
  readonly name: string;
  /** Whether publications contain the names of people. */
  readonly withNames: boolean;
  /** Largest number of publications in one call of `deliver`. */
  readonly batchSize: number;
  /**
   * Delivers publications. Resolves with the number of delivered ones, counted from the first; the others come again.
   */
  readonly deliver: (publications: readonly Publication[]) => Promise<number>;
  /** Milliseconds to wait before another attempt, which is counted from 1. Default: that of {@link JournalConsumer}. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * Called with `OUTPUT_FAILED` when the journal cannot be read, or lacks changes: once for each reason until that is
   * over.
   */
  readonly onFault: (fault: TallybookError) => void;
}

/** A scan is late after this many seconds since the tap. */
const LATE_S = 10;

/**
 * Delivers all changes of the record for a publisher: in order, each at least once.
 *
 * ```
 * Journal -> JournalConsumer -> Publication, with the present name -> deliver -> position of the publisher
 * ```
 */
export class ChangeFeed extends ManagedResource {
  readonly #options: ChangeFeedOptions;
  readonly #dependencies: PublisherDependencies;
  readonly #consumer: JournalConsumer;
  readonly #toldReasons = new Set<'journal' | ResetReason>();
  #origin = '';
  /** The latest change before the opening. */
  #before: Cursor = 0;
  #done: Cursor = 0;
  /** Whether the last attempt to deliver has failed. */
  #isStuck = false;
  /** Called after each attempt to deliver. */
  #onAttempt: () => void = () => undefined;

  constructor(options: ChangeFeedOptions, dependencies: PublisherDependencies) {
    super();
    this.#options = options;
    this.#dependencies = dependencies;
    const { name, batchSize, retryDelayMs } = options;
    const { journal, timekeeper } = dependencies;
    this.#consumer = new JournalConsumer({
      journal,
      clock: timekeeper.clock,
      name,
      batchSize,
      afterReset: 'oldest',
      ...(retryDelayMs && { retryDelayMs }),
      handle: (entries) => this.#handle(entries),
      onReset: async (reason, next) => this.#giveUp(reason, next),
      onFault: (error) =>
        this.#report('journal', 'the journal cannot be read, and nothing is published', error),
    });
  }

  /** Identity of the journal of this store, different for every journal. Known while the feed is open. */
  get origin(): string {
    return this.#origin;
  }

  /** As {@link Publisher.countWaiting}. */
  async countWaiting(): Promise<number> {
    const { journal } = this.#dependencies;
    try {
      const latest = await journal.latest();
      const position = (await journal.position(this.#options.name)) ?? latest;
      return Math.max(latest - position, 0);
    } catch {
      return 0;
    }
  }

  /** Tries failed deliveries again at once. */
  wake(): void {
    this.#isStuck = false;
    this.#consumer.wake();
  }

  /** Resolves when all changes up to now are delivered, when a delivery fails, or after `mostMs` milliseconds. */
  async finish(mostMs: number): Promise<void> {
    const latest = await this.#dependencies.journal.latest().catch(() => 0);
    if (this.#isStuck || this.#done >= latest) return;
    const limit = new AbortController();
    const finished = new Promise<void>((resolve) => {
      this.#onAttempt = () => {
        if (this.#isStuck || this.#done >= latest) resolve();
      };
    });
    this.#consumer.wake();
    const { signal } = limit;
    await Promise.race([finished, pause(mostMs, undefined, { signal }).catch(() => undefined)]);
    limit.abort();
    this.#onAttempt = () => undefined;
  }

  protected override async onOpen(): Promise<void> {
    const { journal } = this.#dependencies;
    this.#toldReasons.clear();
    this.#isStuck = false;
    this.#origin = await journal.origin();
    this.#before = await journal.latest();
    this.#done = (await journal.position(this.#options.name)) ?? this.#before;
    await this.#consumer.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#consumer.close();
  }

  async #handle(entries: readonly JournalEntry[]): Promise<Cursor> {
    this.#toldReasons.delete('journal');
    const described = await Promise.all(entries.map((entry) => this.#describe(entry)));
    const told = described.filter((each) => each !== undefined);
    const delivered =
      told.length === 0 ? 0 : await this.#options.deliver(told.map(({ publication }) => publication));
    const next = told[delivered];
    this.#isStuck = next !== undefined;
    this.#done = next === undefined ? lastOf(entries) : next.cursor - 1;
    if (delivered > 0) this.#toldReasons.clear();
    this.#onAttempt();
    return this.#done;
  }

  async #describe({
    cursor,
    change,
  }: JournalEntry): Promise<{ readonly cursor: Cursor; readonly publication: Publication } | undefined> {
    const name =
      'outcome' in change || change.kind === 'provisional' ? await this.#nameOf(change.id) : undefined;
    const isLate = cursor <= this.#before || this.#isOld(change);
    const publication = describeChange(change, { id: `${this.#origin}-${cursor}`, isLate, name });
    return publication && { cursor, publication };
  }

  /** Whether a scan is late by the clock of the device. After a jump of that clock, a new scan counts as late too. */
  #isOld(change: Change): boolean {
    const { timekeeper } = this.#dependencies;
    if (change.kind === 'scan') {
      return change.filed !== undefined || Math.abs(timekeeper.now() - change.at) > LATE_S;
    }
    if (change.kind !== 'provisional') return false;
    const { bootId } = timekeeper.clock;
    return change.bootId !== bootId || timekeeper.clock.monotonicMs() - change.monotonicMs > LATE_S * 1_000;
  }

  /** The name of a tag. An unreadable name delays nothing. */
  async #nameOf(id: TallyId): Promise<Name | null | undefined> {
    if (!this.#options.withNames) return undefined;
    const { mapping } = this.#dependencies;
    try {
      return (await mapping.get(id)) ?? null;
    } catch {
      return null;
    }
  }

  #giveUp(reason: ResetReason, next: Cursor): void {
    const count = Math.max(next - this.#done, 0);
    this.#report(
      reason,
      reason === 'too-old'
        ? `up to ${counted(count, 'change was', 'changes were')} not published: the journal no longer has them. The record has them. Publishing goes on with the changes in the journal`
        : 'an older copy of the store is in use, and its journal does not show what was published. Publishing goes on with new changes',
    );
    this.#done = next;
  }

  #report(reason: 'journal' | ResetReason, message: string, cause?: unknown): void {
    if (this.#toldReasons.has(reason)) return;
    this.#toldReasons.add(reason);
    const { name, onFault } = this.#options;
    const text = `publisher ${name}: ${message}`;
    onFault(
      new TallybookError('OUTPUT_FAILED', text, {
        ...(cause === undefined ? {} : { cause }),
        details: { reason: reason === 'journal' ? 'journal' : 'given-up' },
      }),
    );
  }
}

function lastOf(entries: readonly JournalEntry[]): Cursor {
  return entries.at(-1)?.cursor ?? 0;
}
