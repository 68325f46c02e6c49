import { ManagedResource } from '../lifecycle.js';
import type { Clock } from '../ports/clock.js';
import type { Cursor, Journal, JournalEntry, JournalPage } from '../ports/record/journal.js';
import type { Subscription } from '../subscribable.js';
import { backOffMs } from '../back-off.js';

/** Why a consumer has to read the record before it can read more changes: see {@link JournalPage}. */
export type ResetReason = Extract<JournalPage, { isKnown: false }>['reason'];

export interface JournalConsumerOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /**
   * Name under which the journal keeps the position of the consumer. Without a name, the consumer begins at each
   * opening with the changes after that opening.
   */
  readonly name?: string;
  /** Maximum number of changes in one call of `handle`, 1..10000, default 256. */
  readonly batchSize?: number;
  /** Milliseconds after which the journal is read again without a hint at a change, default 10000. */
  readonly pollMs?: number;
  /** How long to wait before a failed step is tried again, in milliseconds; attempts are counted from 1. */
  readonly retryDelayMs?: (attempt: number) => number;
  /** Work before each reading of changes. Resolves with whether it is done; if not, nothing is read, and it comes again later. */
  readonly prepare?: () => Promise<boolean>;
  /**
   * Handles changes, in order, one call at a time. Resolves with the cursor of the last handled change. Later changes
   * are handed over again; if it rejects, all of them are. So handling a change twice must do no harm.
   */
  readonly handle: (entries: readonly JournalEntry[]) => Promise<Cursor>;
  /**
   * Reads the record, because the journal cannot give the changes after the position. The changes after `next` follow.
   * If it rejects, it is called again later.
   */
  readonly onReset: (reason: ResetReason, next: Cursor) => Promise<void>;
  /**
   * Which changes follow a reset: the changes after the `latest` (default), or all changes in the journal, from the
   * `oldest` on. In a journal that is behind the consumer, no change is new: there it is always `latest`.
   */
  readonly afterReset?: 'latest' | 'oldest';
  /** Called with each error. The failed step is tried again. */
  readonly onFault: (error: unknown) => void;
}

const BATCH_DEFAULT = 256;
const POLL_DEFAULT_MS = 10_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 60_000;

/**
 * Follows a {@link Journal}: hands on each change, in order, at least once, and remembers its position.
 *
 * ```
 * appended, or from time to time -> read a batch -> handle -> advance -> the next batch
 *                                                     \-> failed: the same again, after a while
 * ```
 *
 * A consumer that opens for the first time begins with the changes after its opening. A slow consumer delays nobody. Open
 * it after its journal, and close it before its journal.
 */
export class JournalConsumer extends ManagedResource {
  readonly #options: JournalConsumerOptions;
  #position: Cursor = 0;
  /** Failed attempts since something was handled. */
  #attempts = 0;
  /** Whether the last attempt failed because the journal could not be read. */
  #hasReadFailed = false;
  /** Whether the journal may have changes that were not read. */
  #isHinted = false;
  /** Whether the next step is due now, also after a failure. */
  #isWoken = false;
  #isRunning = false;
  #working: Promise<void> | undefined;
  #subscription: Subscription | undefined;
  #look: Subscription | undefined;

  constructor(options: JournalConsumerOptions) {
    super();
    this.#options = options;
  }

  /** The cursor of the last handled change. */
  get position(): Cursor {
    return this.#position;
  }

  /** Retries failed and unhandled changes at once, without waiting any longer. */
  wake(): void {
    this.#isWoken = true;
    this.#start();
  }

  protected override async onOpen(): Promise<void> {
    const { journal, name } = this.#options;
    const known = name === undefined ? undefined : await journal.position(name);
    this.#position = known ?? (await journal.latest());
    // The changes after this opening must reach the consumer, even if the power is cut before it has handled one.
    if (name !== undefined && known === undefined) await journal.advance(name, this.#position);
    this.#attempts = 0;
    this.#isRunning = true;
    this.#subscription = journal.appended.subscribe(() => this.#hear());
    this.#start();
  }

  protected override async onClose(): Promise<void> {
    this.#isRunning = false;
    this.#subscription?.unsubscribe();
    this.#look?.unsubscribe();
    this.#look = undefined;
    await this.#working;
  }

  #hear(): void {
    this.#isHinted = true;
    if (this.#takesHints) this.#start();
  }

  /** A hint does not shorten the wait after a failure, unless the journal was away: it is back then. */
  get #takesHints(): boolean {
    return this.#attempts === 0 || this.#hasReadFailed;
  }

  #start(): void {
    if (!this.#isRunning) return;
    this.#look?.unsubscribe();
    this.#look = undefined;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    let isDone = false;
    while (this.#isRunning && (!isDone || this.#isWoken || (this.#isHinted && this.#takesHints))) {
      this.#isHinted = false;
      this.#isWoken = false;
      isDone = await this.#step().catch((error: unknown) => {
        this.#attempts++;
        this.#options.onFault(error);
        return true;
      });
    }
    this.#working = undefined;
    if (this.#isRunning) this.#lookLater();
  }

  /** Handles one batch. Resolves with whether that is all for now. */
  async #step(): Promise<boolean> {
    const { journal, batchSize = BATCH_DEFAULT, prepare, handle, onReset, afterReset } = this.#options;
    if (prepare !== undefined && !(await prepare())) {
      this.#attempts++;
      return true;
    }
    this.#hasReadFailed = true;
    const page = await journal.read(this.#position, batchSize);
    this.#hasReadFailed = false;
    if (!page.isKnown) {
      const latest = page.next ?? (await journal.latest());
      const seeksOldest = afterReset === 'oldest' && page.reason === 'too-old';
      const next = seeksOldest ? await findOldest(journal, this.#position, latest) : latest;
      await onReset(page.reason, next);
      await this.#advance(next);
      return false;
    }
    const last = page.entries.at(-1);
    if (last === undefined) return true;
    const done = await handle(page.entries);
    if (done > this.#position) await this.#advance(done);
    if (done >= last.cursor) return false;
    this.#attempts++;
    return true;
  }

  async #advance(cursor: Cursor): Promise<void> {
    const { journal, name } = this.#options;
    this.#position = cursor;
    this.#attempts = 0;
    if (name !== undefined) await journal.advance(name, cursor);
  }

  #lookLater(): void {
    const { clock, pollMs = POLL_DEFAULT_MS, retryDelayMs } = this.#options;
    const attempt = this.#attempts;
    const retryMs = (): number =>
      retryDelayMs?.(attempt) ?? backOffMs(attempt, RETRY_FIRST_MS, RETRY_MOST_MS);
    const delayMs = attempt === 0 ? pollMs : retryMs();
    const look = (): void => {
      this.#look = undefined;
      this.wake();
    };
    // Unhandled changes are durable, so this timer need not keep the program running.
    this.#look ??= clock.schedule(delayMs, look, { holdsProgram: false });
  }
}

/**
 * The smallest cursor after which the journal has changes, between an unknown cursor and the latest: after a damaged
 * change, or after the changes that are no longer kept.
 */
async function findOldest(journal: Journal, unknown: Cursor, latest: Cursor): Promise<Cursor> {
  // A cursor in a gap is unknown too, but is not before the oldest change.
  const knows = async (cursor: Cursor): Promise<boolean> => {
    const page = await journal.read(cursor, 1);
    return page.isKnown || page.reason === 'ahead';
  };
  let [low, high] = [unknown, latest];
  if (high - low > 1 && (await knows(low + 1))) return low + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await knows(middle)) high = middle;
    else low = middle;
  }
  return high;
}
