import { counted, isTallybookError, type ErrorCode } from '../../errors.js';
import type { Gate } from '../../record/gate.js';
import { JournalConsumer } from '../../journal/journal-consumer.js';
import { ManagedResource } from '../../lifecycle.js';
import type { Clock } from '../../ports/clock.js';
import type { Cursor, Journal } from '../../ports/record/journal.js';
import type { ProvisionalStore } from '../../ports/record/provisional-store.js';
import type { SyncTransport } from '../ports/sync-transport.js';
import { Emitter, type Subscribable, type Subscription } from '../../subscribable.js';
import { backOffMs } from '../../back-off.js';
import type { Day } from '../../values/day.js';
import { STATION_REFUSED_MAX } from '../ports/station-store.js';
import type { LeftOut, RefusedItem, StationStatus, SyncAnswer, SyncItem } from '../values/sync.js';
import type { Timestamp } from '../../values/timestamp.js';
import { applyErasures, applyKeepFrom, applyNames, type ApplyDependencies } from './apply-items.js';
import { invalidSync } from '../items/parse-items.js';
import { Download } from './download.js';
import { Upload } from './upload.js';
import { waitingNames } from './waiting-changes.js';

export interface StationSyncDependencies extends ApplyDependencies {
  /** The journal of the same data as the stores. */
  readonly journal: Journal;
  readonly provisional?: Pick<ProvisionalStore, 'list'>;
  readonly transport: SyncTransport;
  readonly clock: Clock;
  /** The gate of `guardMapping` and `guardCorrections`, which runs one edit at a time. */
  readonly edits: Gate;
  /** Random number from 0 up to 1, 1 excluded: spreads the calls of many stations over time. */
  readonly random: () => number;
  /** Release of the program, 1 to 64 characters. */
  readonly version: string;
}

/** State of the connection between a station and its centre. */
export interface UpstreamReport {
  /** Time of the last answer of the centre; `undefined` if there was none since the start of the program. */
  readonly heardAt: Timestamp | undefined;
  /** The error of the last attempt to send or to get changes; `undefined` if none failed. */
  readonly error: unknown;
  /** The state of this station, such as the number of changes that wait to be sent. */
  readonly status: StationStatus;
  /** The {@link STATION_REFUSED_MAX} latest items that the centre refused for good since the start of the program. */
  readonly refused: readonly RefusedItem[];
  /** Number of items that the centre refused for good since then. */
  readonly refusedCount: number;
}

/** How often a station without changes to send reports its state, in milliseconds. */
const REPORT_MS = 300_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MOST_MS = 300_000;
const CONSUMER = 'upstream';
const BATCH_SIZE = 1_000;

/**
 * Sends the record of this device to its centre, and applies the changes of the centre. Recording never waits for the centre.
 *
 * Up: each change of the journal, in order, at least once, soon after it happened. Down: names, corrections, erasures and
 * removals of days. These are applied only while no name or correction of this device waits to be sent, so that they
 * overwrite no data that the centre has not seen. Then the data of the centre counts. Applying it makes changes in the
 * journal here, which are sent back once, and change nothing at the centre.
 *
 * Failed calls are tried again, after 1 second at first and 5 minutes at most. Open it after its stores.
 */
export class StationSync extends ManagedResource {
  /** Emits each error. The failed call is tried again. */
  readonly faults: Subscribable<unknown>;
  /** Emits items that the centre refused. */
  readonly refusals: Subscribable<readonly RefusedItem[]>;
  readonly #faults = new Emitter<unknown>();
  readonly #refusals = new Emitter<readonly RefusedItem[]>();
  readonly #parts: StationSyncDependencies;
  readonly #upload: Upload;
  readonly #download: Download;
  readonly #consumer: JournalConsumer;
  #refused: readonly RefusedItem[] = [];
  #refusedCount = 0;
  #heardAt: Timestamp | undefined;
  /** The last error of each direction, until an attempt in that direction succeeds. */
  readonly #errors = new Map<'up' | 'down', unknown>();
  /** Cursor of the last change of this device that the centre has. */
  #sent: Cursor = 0;
  #hasSentAll = false;
  /** Failed reports since the last one that succeeded. */
  #attempts = 0;
  #keepFrom: Day | undefined;
  #sentMs = -Infinity;
  #timer: Subscription | undefined;
  #reporting: Promise<void> | undefined;

  constructor(parts: StationSyncDependencies) {
    super();
    this.#parts = parts;
    this.faults = this.#faults;
    this.refusals = this.#refusals;
    this.#consumer = new JournalConsumer({
      ...{ journal: parts.journal, clock: parts.clock, name: CONSUMER, batchSize: BATCH_SIZE },
      retryDelayMs: (attempt) => this.#retryDelayMs(attempt),
      handle: async (entries) => {
        const done = await this.#upload.send(this.#sent, entries);
        this.#noteSent(done);
        return done;
      },
      onReset: async (_, next) => {
        await this.#upload.sendAll(next);
        // A change that the journal no longer has may have been a repair.
        await this.#download.startOverAfterRepair();
        this.#noteSent(next);
      },
      onFault: (error) => this.#hearFault('up', error),
    });
    this.#upload = new Upload({
      ...parts,
      statusAt: (through) => this.#statusAt(through),
      onAnswer: (answer, items, through) => this.#hear(answer, items, through),
      onLoss: () => this.#download.startOver(),
      onRepair: () => this.#download.startOverAfterRepair(),
    });
    this.#download = new Download({
      ...parts,
      sent: () => this.#sent,
      confirm: () => this.#confirm(),
      sendAll: () => this.#upload.sendAll(this.#sent),
      onChanges: (terms) => this.#applyTerms(terms.keepFrom),
      onContact: () => this.#noteContact('down'),
      onInvalid: (codes) => this.#tellInvalid(codes),
      onFault: (error) => this.#hearFault('down', error),
      retryDelayMs: (attempt) => this.#retryDelayMs(attempt),
    });
  }

  /** The state of the connection to the centre. Rejects as the stores do. */
  async report(): Promise<UpstreamReport> {
    return {
      heardAt: this.#heardAt,
      error: this.#errors.get('up') ?? this.#errors.get('down'),
      status: await this.#statusAt(this.#sent),
      refused: this.#refused,
      refusedCount: this.#refusedCount,
    };
  }

  /** Retries failed calls at once, as when the network works again. */
  wake(): void {
    this.#consumer.wake();
    this.#download.wake();
  }

  protected override async onOpen(): Promise<void> {
    this.#upload.start();
    this.#attempts = 0;
    await this.#consumer.open();
    this.#sent = this.#consumer.position;
    this.#sendReport();
    await this.#download.open();
  }

  protected override async onClose(): Promise<void> {
    this.#upload.stop();
    this.#download.stop();
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    const closing = [this.#consumer.close(), this.#download.close()];
    this.#parts.transport.abort();
    await Promise.all(closing);
    await this.#reporting;
  }

  /** Applies an answer before the next batch is sent, so that no part of it is lost. */
  async #hear(
    { refused, superseded, erasures, keepFrom, invalid }: SyncAnswer & LeftOut,
    items: readonly SyncItem[],
    through: Cursor,
  ): Promise<void> {
    this.#noteContact('up');
    this.#sentMs = this.#parts.clock.monotonicMs();
    this.#tellInvalid(invalid);
    if (refused.length > 0) {
      this.#refused = [...this.#refused, ...refused].slice(-STATION_REFUSED_MAX);
      this.#refusedCount += refused.length;
      this.#refusals.emit(refused);
    }
    if (erasures.length > 0) {
      const sent = items.flatMap((item) => (item.kind === 'erasure' ? [item.erasure] : []));
      await applyErasures(erasures, this.#parts, sent);
      // The erasure also removed the name of the present holder of the tag.
      this.#download.startOver();
    }
    if (superseded.length > 0) {
      await this.#parts.edits.run(async () => {
        const waiting = await waitingNames(this.#parts.journal, through);
        // Names that were changed here since then are sent too, and the centre answers again.
        const settled = superseded.filter(({ id }) => waiting?.has(id) === false);
        await applyNames(settled, this.#parts);
      });
    }
    await this.#applyTerms(keepFrom);
  }

  async #applyTerms(keepFrom: Day | undefined): Promise<void> {
    if (keepFrom === undefined || keepFrom === this.#keepFrom) return;
    await applyKeepFrom(keepFrom, this.#parts);
    this.#keepFrom = keepFrom;
  }

  async #statusAt(through: Cursor): Promise<StationStatus> {
    const { journal, provisional, timekeeper, version } = this.#parts;
    // The whole record may be sent at the same time as the changes, or after them.
    const done = Math.max(through, this.#sent);
    const waiting = await journal.countAfter(done);
    const page = waiting > 0 ? await journal.read(done, 1) : undefined;
    const oldest = page?.isKnown === true ? page.entries[0]?.change : undefined;
    const scans = (await provisional?.list()) ?? [];
    return {
      waiting,
      ...(oldest?.kind === 'scan' && { oldestWaitingAt: oldest.at }),
      provisional: scans.filter(({ filing }) => filing === undefined).length,
      isClockTrusted: timekeeper.trust().isTrusted,
      version,
    };
  }

  #sendReport(): void {
    this.#reporting ??= this.#tryReport().finally(() => (this.#reporting = undefined));
  }

  async #tryReport(): Promise<void> {
    const { clock, random } = this.#parts;
    let delayMs = REPORT_MS * (0.75 + random() / 2);
    try {
      // A recent batch has reported the state, and a waiting batch will report it.
      const isFresh = clock.monotonicMs() - this.#sentMs < REPORT_MS / 2;
      const isBusy = (await this.#parts.journal.latest()) > this.#sent;
      if (!isFresh && !isBusy) await this.#confirm();
      this.#attempts = 0;
    } catch (error) {
      this.#hearFault('up', error);
      delayMs = this.#retryDelayMs(++this.#attempts);
    }
    if (this.status !== 'open' && this.status !== 'opening') return;
    const again = (): void => this.#sendReport();
    this.#timer = clock.schedule(delayMs, again, { holdsProgram: false });
  }

  /** Reports the state of this device, and sends changes again that the centre does not have. */
  async #confirm(): Promise<void> {
    if (this.#sent > 0 || this.#hasSentAll) return this.#upload.report(this.#sent);
    this.#hasSentAll = true;
    // Only the record has the data from before the first change of the journal.
    await this.#upload.sendAll(0).catch((error: unknown) => {
      this.#hasSentAll = false;
      throw error;
    });
  }

  /** The items are not asked for again, so this is no error of the connection. */
  #tellInvalid(codes: readonly ErrorCode[] = []): void {
    const list = [...new Set(codes)].join(', ');
    if (codes.length > 0)
      this.#faults.emit(
        invalidSync(
          `the centre sent ${counted(codes.length, 'item')} with a wrong value, left out here: ${list}`,
        ),
      );
  }

  #noteSent(cursor: Cursor): void {
    this.#sent = cursor;
    this.#download.look();
  }

  #noteContact(way: 'up' | 'down'): void {
    this.#errors.delete(way);
    this.#heardAt = this.#parts.timekeeper.now();
  }

  #hearFault(way: 'up' | 'down', error: unknown): void {
    // A call that closing has ended is no fault.
    if (this.status === 'closing' && isTallybookError(error, 'UPSTREAM_UNAVAILABLE')) return;
    this.#errors.set(way, error);
    this.#faults.emit(error);
  }

  #retryDelayMs(attempt: number): number {
    return backOffMs(attempt, RETRY_FIRST_MS, RETRY_MOST_MS) * (0.5 + this.#parts.random() / 2);
  }
}
