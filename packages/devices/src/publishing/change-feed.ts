import {
  counted,
  JournalConsumer,
  ManagedResource,
  TallybookError,
  type Change,
  type Cursor,
  type JournalEntry,
  type Name,
  type ProvisionalChange,
  type ResetReason,
  type ScanChange,
} from '@tallybook/domain';
import { describeChange, type Publication, type PublisherDependencies } from './publisher.js';
import { within } from '../waiting.js';
import { SET_ASIDE_MAX, SetAsideChanges } from './set-aside-changes.js';

export interface ChangeFeedOptions {
  /** Name of the publisher. */
  readonly name: string;
  /** Whether publications contain the names of people. */
  readonly withNames: boolean;
  /** Largest number of publications in one call of `deliver`. */
  readonly batchSize: number;
  /**
   * Delivers publications. Resolves with the number of delivered ones, counted from the first; the others come again. Or
   * resolves with `refused` if the receiver does not take the first one, and others may be taken: after three such answers
   * it is set aside.
   */
  readonly deliver: (publications: readonly Publication[]) => Promise<number | 'refused'>;
  /** Milliseconds to wait before another attempt, which is counted from 1. Default: that of {@link JournalConsumer}. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * Called with `OUTPUT_FAILED` when the journal cannot be read, or lacks changes: once for each reason until that is
   * over.
   */
  readonly onFault: (fault: TallybookError) => void;
}

interface Described {
  readonly cursor: Cursor;
  readonly publication: Publication;
}

type Reason = 'journal' | 'set-aside' | ResetReason;

/** A scan is late after this many seconds since the tap. */
const LATE_S = 10;
/** After this many refusals, a change is set aside. */
const ATTEMPTS = 3;

/**
 * Delivers all changes of the record for a publisher: in order, each at least once.
 *
 * ```
 * Journal -> JournalConsumer -> Publication, with the name of the holder -> deliver -> position of the publisher
 *                                                                       \-> refused three times: set aside
 * ```
 */
export class ChangeFeed extends ManagedResource {
  readonly #options: ChangeFeedOptions;
  readonly #dependencies: PublisherDependencies;
  readonly #consumer: JournalConsumer;
  readonly #setAside: SetAsideChanges;
  readonly #toldReasons = new Set<Reason>();
  #stopped: TallybookError | undefined;
  /** How often the receiver has refused the present change. */
  #refusals = 0;
  /** The set-aside changes that are still to be sent again. */
  #again: Cursor[] = [];
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
    this.#setAside = new SetAsideChanges(journal, name);
    this.#consumer = new JournalConsumer({
      journal,
      clock: timekeeper.clock,
      name,
      batchSize,
      afterReset: 'oldest',
      ...(retryDelayMs && { retryDelayMs }),
      prepare: () => this.#deliverAgain(),
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

  /** As {@link Publisher.stopped}. */
  get stopped(): TallybookError | undefined {
    return this.#stopped;
  }

  /** As {@link Publisher.setAside}. */
  get setAside(): number {
    return this.#setAside.cursors.length;
  }

  /** Delivers nothing any more, until {@link sendAgain} or the next opening. */
  stop(fault: TallybookError): void {
    this.#stopped = fault;
    this.#again = [];
  }

  /** As {@link Publisher.sendAgain}. */
  sendAgain(): void {
    this.#stopped = undefined;
    this.#again = this.#setAside.cursors;
    this.wake();
  }

  /** As {@link Publisher.countWaiting}. */
  async countWaiting(): Promise<number> {
    const { journal } = this.#dependencies;
    try {
      const position = await journal.position(this.#options.name);
      return position === undefined ? 0 : await journal.countAfter(position);
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
    const finished = new Promise<void>((resolve) => {
      this.#onAttempt = () => {
        if (this.#isStuck || this.#done >= latest) resolve();
      };
    });
    this.#consumer.wake();
    await within(mostMs, finished);
    this.#onAttempt = () => undefined;
  }

  protected override async onOpen(): Promise<void> {
    const { journal } = this.#dependencies;
    this.#toldReasons.clear();
    this.#isStuck = false;
    this.#stopped = undefined;
    this.#refusals = 0;
    this.#again = [];
    await this.#setAside.load();
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
    const delivered = await this.#deliver(told);
    const next = told[delivered];
    this.#isStuck = next !== undefined;
    this.#done = next === undefined ? lastOf(entries) : next.cursor - 1;
    if (delivered > 0) this.#toldReasons.clear();
    this.#onAttempt();
    return this.#done;
  }

  /** Resolves with the number of changes that are delivered, or set aside. */
  async #deliver(told: readonly Described[]): Promise<number> {
    const [first] = told;
    if (first === undefined || this.#stopped !== undefined) return 0;
    const delivered = await this.#options.deliver(told.map(({ publication }) => publication));
    if (delivered === 'refused' && ++this.#refusals < ATTEMPTS) return 0;
    if (delivered !== 0) this.#refusals = 0;
    if (delivered !== 'refused') return delivered;
    if (await this.#setAside.add(first.cursor)) return 1;
    const text = `${SET_ASIDE_MAX} changes are set aside, and no more can be. Nothing is published until they are sent again`;
    this.stop(this.#report('set-aside', text));
    return 0;
  }

  /** Sends set-aside changes again. Resolves with whether each was delivered or refused. */
  async #deliverAgain(): Promise<boolean> {
    for (let [cursor] = this.#again; cursor !== undefined; [cursor] = this.#again) {
      const page = await this.#dependencies.journal.read(cursor - 1, 1);
      const entry = page.isKnown && page.entries[0]?.cursor === cursor ? page.entries[0] : undefined;
      if (!page.isKnown)
        this.#report(
          page.reason,
          'a change that was set aside is no longer in the journal. The record has it',
        );
      const described = entry && (await this.#describe(entry));
      const delivered = described === undefined ? 1 : await this.#options.deliver([described.publication]);
      if (delivered === 0) {
        this.#isStuck = true;
        // If the receiver stopped the publisher, this was the last attempt.
        return this.#stopped !== undefined;
      }
      if (delivered === 1) await this.#setAside.remove(cursor);
      this.#again = this.#again.filter((each) => each !== cursor);
    }
    return true;
  }

  async #describe({ cursor, change }: JournalEntry): Promise<Described | undefined> {
    const name =
      'outcome' in change || change.kind === 'provisional' ? await this.#nameOf(change) : undefined;
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

  /** The name of the holder: at the time of a scan, or else now. An unreadable name delays nothing. */
  async #nameOf(change: ScanChange | ProvisionalChange): Promise<Name | null | undefined> {
    if (!this.#options.withNames) return undefined;
    const { mapping, people } = this.#dependencies;
    try {
      if (change.kind === 'scan' && people !== undefined)
        return (await people.holderAt(change.id, change.at)).name ?? null;
      return (await mapping.get(change.id)) ?? null;
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

  /** Reports a fault, unless the reason was reported before. */
  #report(reason: Reason, message: string, cause?: unknown): TallybookError {
    const { name, onFault } = this.#options;
    const fault = new TallybookError('OUTPUT_FAILED', `publisher ${name}: ${message}`, {
      ...(cause === undefined ? {} : { cause }),
      details: { reason: reason === 'journal' || reason === 'set-aside' ? reason : 'given-up' },
    });
    if (!this.#toldReasons.has(reason)) onFault(fault);
    this.#toldReasons.add(reason);
    return fault;
  }
}

function lastOf(entries: readonly JournalEntry[]): Cursor {
  return entries.at(-1)?.cursor ?? 0;
}
