import type { AttendanceDay, RecordOutcome } from '../values/record/attendance-day.js';
import type { AttendanceEvent, FiledScan, Reading, ReadingOutcome, Scan } from '../values/record/reading.js';
import type { BacklogState } from './backlog.js';
import type { Change } from '../values/record/change.js';
import type { Day } from '../values/day.js';
import { isTallybookError, requireOption, TallybookError } from '../errors.js';
import { JournalConsumer } from '../journal/journal-consumer.js';
import type { Journal } from '../ports/record/journal.js';
import { learnLatestScan } from '../time/latest-scan.js';
import { ManagedResource } from '../lifecycle.js';
import type { Name } from '../values/name.js';
import type { IdSource } from '../ports/devices/id-source.js';
import type { Indication, Signal } from '../ports/devices/indicator.js';
import type { MappingStore } from '../ports/names/mapping-store.js';
import type { PeopleStore, TagHolder } from '../ports/people/people-store.js';
import type { ProvisionalStore } from '../ports/record/provisional-store.js';
import type { Revision } from '../ports/revision.js';
import type { Filing, ProvisionalScan } from '../values/record/provisional.js';
import { ProvisionalScans, type RecordingDependencies } from './provisional-scans.js';
import { REPEAT_WINDOW_DEFAULT_MS, RepeatWindow } from './repeat-window.js';
import { ScanWriter, type Failure, type Fate, type Tap, type Written } from './scan-writer.js';
import { Emitter, type Subscribable, type Subscription } from '../subscribable.js';
import type { TallyId } from '../values/tally-id.js';
import { OUTSIDE_TIME_MAX, type Timestamp } from '../values/timestamp.js';

export interface AttendanceDependencies extends RecordingDependencies {
  readonly mapping: MappingStore;
  /** Without one, a tag is known by its name alone. */
  readonly people?: Pick<PeopleStore, 'holderAt'>;
  /** Without one, scans are recorded under the time that the clock shows, trusted or not. */
  readonly provisional?: ProvisionalStore;
  /**
   * Journal of stores that other servers use too. When one of them takes away scans, the latest scan is learnt again. Opened
   * before the service.
   */
  readonly journal?: Journal;
}

export interface AttendanceOptions {
  /** Milliseconds, 0..86400000, default 2000: see {@link RepeatWindow}. */
  readonly repeatWindowMs?: number;
  /** Maximum number of scans in memory while the store cannot write, 0..1000000, default 10000. */
  readonly backlogLimit?: number;
  /**
   * How long provisional scans of other servers on the same stores are left to those servers, in milliseconds,
   * 0..86400000. Default 0: no other server uses the stores, so scans that this run did not take are of an earlier run.
   */
  readonly leaveProvisionalMs?: number;
}

const LEAVE_MAX_MS = 86_400_000;
/** No tag changes its holder in the future, so this is the present holder. */
const LATEST = OUTSIDE_TIME_MAX as Timestamp;

/**
 * Maximum age of a reading, in milliseconds, to show its outcome at the reader: a little more than a slow store takes.
 */
const LATE_MS = 15_000;

/**
 * Turns readings into attendance, and answers who was there.
 *
 * ```
 * Reading -> repeat window -> Scan -> DayStore.record (durable) -> `attendance` event, `indications`
 *                               |        \-> backlog, while the store cannot write
 *                               |-> ProvisionalStore, while the clock cannot be trusted
 *                               \-> `scan` event, at once
 * ```
 *
 * Every scan of a valid tag is recorded, with or without a name, unless its person was erased after the scan. A scan that
 * fails does not affect the next one. Open the service after its stores: otherwise opening rejects with `NOT_OPEN`. It takes
 * readings while it is open; queries succeed or reject as the stores do.
 */
export class AttendanceService extends ManagedResource {
  readonly #events = new Emitter<AttendanceEvent>();
  readonly events: Subscribable<AttendanceEvent> = this.#events;
  readonly #indications = new Emitter<Indication>();
  /** For the person at the reader: one for each scan, after the write is durable or has failed. */
  readonly indications: Subscribable<Indication> = this.#indications;
  readonly #parts: AttendanceDependencies;
  readonly #provisional: ProvisionalScans | undefined;
  readonly #repeatWindow: RepeatWindow;
  readonly #writer: ScanWriter;
  readonly #follower: JournalConsumer | undefined;
  /** Who gets the next reading of a source, by its name. */
  readonly #diversions = new Map<string, (reading: Reading) => void>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(dependencies: AttendanceDependencies, options: AttendanceOptions = {}) {
    super();
    this.#parts = dependencies;
    const { provisional: store, journal } = dependencies;
    const leaveMs = options.leaveProvisionalMs ?? 0;
    requireOption('leaveProvisionalMs', leaveMs, 0, LEAVE_MAX_MS);
    if (store !== undefined) {
      this.#provisional = new ProvisionalScans({
        ...dependencies,
        store,
        onFiled: (scan, filing, outcome) => this.#tellFiled(scan, filing, outcome),
        onTrouble: this.#hearTrouble,
        leaveMs,
      });
    }
    this.#repeatWindow = new RepeatWindow(options.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS);
    this.#writer = new ScanWriter(
      {
        ...dependencies,
        provisional: this.#provisional,
        holderOf: (...of) => this.#holderOf(...of),
        onWritten: (...of) => this.#tellWritten(...of),
        onRefused: (...of) => this.#turnAway(...of),
        onFailed: (...of) => this.#tellFailed(...of),
      },
      options.backlogLimit,
    );
    if (journal !== undefined) this.#follower = this.#follow(journal);
  }

  /** State of the scans that wait in memory because the store cannot write or does not answer. */
  get backlog(): BacklogState {
    return this.#writer.backlog;
  }

  /** The scans that wait in memory. When the service has closed, these are lost with the process. */
  get unwritten(): readonly Scan[] {
    return this.#writer.unwritten;
  }

  /** Takes every reading of a source from now on, until the subscription ends, while the service is open. */
  listen(source: IdSource): Subscription {
    return source.readings.subscribe((reading) => {
      if (this.status === 'open' && !this.#divert(source.name, reading)) void this.#takeFrom(reading);
    });
  }

  /**
   * Gives the next reading of a source to somebody else, who tries the reader. Neither this reading nor its repetitions within the
   * repeat window are recorded. Readings from before the trial are recorded as always.
   */
  divertNext({ name }: Pick<IdSource, 'name'>, take: (reading: Reading) => void): Subscription {
    this.#diversions.set(name, take);
    return { unsubscribe: () => void this.#diversions.delete(name) };
  }

  #divert(source: string, reading: Reading): boolean {
    const take = this.#diversions.get(source);
    if (take === undefined || this.#isLate(reading)) return false;
    this.#diversions.delete(source);
    this.#repeatWindow.accepts(reading);
    reading.waitUntil?.(Promise.resolve('repeated'));
    take(reading);
    return true;
  }

  /** Takes one reading. Resolves when its outcome is announced; rejects with `NOT_OPEN` only. */
  async take(reading: Reading): Promise<void> {
    if (this.status !== 'open') throw this.notOpen();
    await this.#takeFrom(reading);
  }

  #takeFrom(reading: Reading): Promise<Fate> {
    const taking = this.#take(reading);
    reading.waitUntil?.(taking.then(requireKept));
    return taking;
  }

  async #take(reading: Reading): Promise<Fate> {
    if (!this.#repeatWindow.accepts(reading)) {
      this.#events.emit({ kind: 'repeated', reading });
      return 'repeated';
    }
    const tap = this.#writer.toTap(reading);
    if (!this.#writer.isRefused(tap)) this.#events.emit({ kind: 'scan', scan: tap.scan });
    return this.#writer.write(tap);
  }

  /** Resolves when the scans taken so far are written, or wait in the backlog. */
  async settled(): Promise<void> {
    await this.#writer.settled();
  }

  /** The record of a day, `undefined` if it has none. Rejects as {@link DayStore} does. */
  loadDay(day: Day): Promise<AttendanceDay | undefined> {
    return this.#parts.days.load(day);
  }

  /** The days with a record from one day to another, both included, ascending. */
  listDays(from: Day, to: Day): Promise<readonly Day[]> {
    return this.#parts.days.list(from, to);
  }

  /**
   * Removes the record of a day and says whether there was one. Also removes the scans of that day that wait in memory, that
   * are filed but not yet recorded, or that are listed because their time is an estimate. A scan of that day no longer casts
   * doubt on the clock. Rejects as {@link DayStore} and `ProvisionalStore` do. Then part of the day may be left: remove it
   * again.
   */
  async removeDay(day: Day): Promise<boolean> {
    const wasThere = await this.#writer.removeDay(day);
    if (wasThere) await this.#learnLatestScan().catch(this.#hearTrouble);
    return wasThere;
  }

  /**
   * Erases tags, and drops their scans that wait in memory. No waiting scan is written meanwhile.
   *
   * @param erase Erases the tags in the stores. If it rejects, this method rejects with the same error.
   */
  async eraseTags<T>(ids: ReadonlySet<TallyId>, erase: () => Promise<T>): Promise<T> {
    const result = await this.#writer.erase(ids, erase);
    await this.#learnLatestScan().catch(this.#hearTrouble);
    return result;
  }

  /** Changes whenever the result of {@link loadDay} changes. */
  dayRevision(day: Day): Promise<Revision> {
    return this.#parts.days.dayRevision(day);
  }

  /** Changes whenever the result of {@link listDays} changes. */
  listRevision(): Promise<Revision> {
    return this.#parts.days.listRevision();
  }

  /** The scans that wait for a trusted clock, and those with an estimated time, in the order in which they were taken. */
  async listProvisional(): Promise<readonly ProvisionalScan[]> {
    return (await this.#parts.provisional?.list()) ?? [];
  }

  protected override async onOpen(): Promise<void> {
    try {
      await this.#learnLatestScan();
    } catch (error) {
      // Forgotten days would lose every tap.
      if (isTallybookError(error, 'NOT_OPEN')) throw error;
      // A damaged day must not prevent the recording of today's scans.
      this.#hearTrouble(error);
    }
    await this.#follower?.open();
    this.#provisional?.start();
    this.#writer.start();
  }

  protected override async onClose(): Promise<void> {
    await this.#follower?.close();
    await this.#writer.stop();
    await this.#provisional?.stop();
  }

  #follow(journal: Journal): JournalConsumer {
    return new JournalConsumer({
      ...{ journal, clock: this.#parts.timekeeper.clock },
      handle: async (entries) => {
        if (entries.some(({ change }) => takesAway(change))) await this.#learnLatestScan();
        return entries.at(-1)?.cursor ?? 0;
      },
      onReset: () => this.#learnLatestScan(),
      onFault: this.#hearTrouble,
    });
  }

  readonly #hearTrouble = (error: unknown): void => this.#events.emit({ kind: 'trouble', error });

  #learnLatestScan(): Promise<void> {
    return learnLatestScan(this.#parts);
  }

  // Async, so that a store that throws is treated like one that rejects.
  async #holderOf(id: TallyId, at: Timestamp = LATEST): Promise<TagHolder> {
    const { people, mapping } = this.#parts;
    if (people !== undefined) return people.holderAt(id, at);
    const name = await mapping.get(id);
    return name === undefined ? {} : { name };
  }

  /** Announces a written scan, and returns the name of its holder. */
  #tell(
    written: Written & { readonly filed?: FiledScan },
    found: PromiseSettledResult<TagHolder>,
  ): Name | undefined {
    if (found.status === 'rejected') {
      this.#events.emit({ kind: 'name-unavailable', scan: written.scan, error: found.reason });
    }
    const { name, ...holder } = found.status === 'fulfilled' ? found.value : {};
    this.#events.emit({ ...written, name, ...holder });
    return name;
  }

  async #tellFiled(
    { sequence, id, reader }: ProvisionalScan,
    { day, at, estimate }: Filing,
    outcome: RecordOutcome,
  ): Promise<void> {
    const filed: FiledScan = { sequence, ...(estimate === undefined ? {} : { estimate }) };
    const [holder] = await Promise.allSettled([this.#holderOf(id, at)]);
    this.#tell({ kind: 'attendance', scan: { id, reader, at, day }, outcome, filed }, holder);
  }

  #tellWritten(
    tap: Tap,
    written: Written,
    holder: PromiseSettledResult<TagHolder>,
    hasFailed: boolean,
  ): void {
    const known = this.#tell(written, holder);
    if (!hasFailed) this.#indicate(tap, known === undefined ? 'unknown' : signalOf(written), known);
  }

  /** A tap in the same second as the erasure may be by the next holder of the tag, who can tap again. */
  #turnAway(tap: Tap, hasFailed: boolean): void {
    this.#repeatWindow.allowRetry(tap.reading);
    if (!hasFailed) this.#indicate(tap, 'failed');
  }

  #tellFailed(tap: Tap, { error, isKept }: Failure, hasFailed: boolean): void {
    const { scan, reading } = tap;
    if (!isKept) this.#repeatWindow.allowRetry(reading);
    this.#events.emit({ kind: 'failed', scan, error, isKept });
    if (!hasFailed) this.#indicate(tap, 'failed');
  }

  /** Shows a signal, unless the reading is so old that nobody stands at the reader any more. */
  #indicate({ scan: { id, reader }, reading }: Tap, signal: Signal, name?: Name): void {
    if (this.#isLate(reading)) return;
    this.#indications.emit({ signal, id, reader, ...(name && { name }) });
  }

  #isLate({ monotonicMs }: Reading): boolean {
    return this.#parts.timekeeper.clock.monotonicMs() - monotonicMs > LATE_MS;
  }
}

function takesAway(change: Change): boolean {
  const { kind } = change;
  return kind === 'erased' || kind === 'repaired' || (kind === 'day' && change.action === 'removed');
}

function requireKept(fate: Fate): ReadingOutcome {
  if (fate !== 'lost') return fate;
  throw new TallybookError('STORE_WRITE_FAILED', 'the scan is neither recorded nor kept in memory');
}

function signalOf(written: Written): Signal {
  return written.kind === 'attendance' ? written.outcome : 'counted';
}
