import type { AttendanceDay, RecordOutcome } from './attendance-day.js';
import { Backlog, BACKLOG_DEFAULT_LIMIT, type BacklogState } from './backlog.js';
import type { Calendar } from './calendar.js';
import { DAY_MAX, type Day } from './day.js';
import { isTallybookError } from './errors.js';
import { ManagedResource } from './lifecycle.js';
import type { Name } from './name.js';
import type { DayStore } from './ports/day-store.js';
import type { IdSource, Reading } from './ports/id-source.js';
import type { Indication, Indicator, Signal } from './ports/indicator.js';
import type { MappingStore } from './ports/mapping-store.js';
import type { ProvisionalStore } from './ports/provisional-store.js';
import type { Revision } from './ports/revision.js';
import type { Estimate, Filing, ProvisionalScan } from './provisional.js';
import { ProvisionalScans } from './provisional-scans.js';
import { REPEAT_WINDOW_DEFAULT_MS, RepeatWindow } from './repeat-window.js';
import { Emitter, type Subscribable, type Subscription } from './subscribable.js';
import type { TallyId } from './tally-id.js';
import type { Timekeeper } from './timekeeper.js';
import type { Timestamp } from './timestamp.js';

/** A reading that was accepted as a tap of its own. */
export interface Scan {
  readonly id: TallyId;
  readonly reader: string;
  readonly at: Timestamp;
  readonly day: Day;
}

/** That a scan was provisional before, and how well its time is known. */
export interface FiledScan {
  /** The sequence that it had as a provisional scan. */
  readonly sequence: number;
  /** Given if the time is not known but only guessed. */
  readonly estimate?: Estimate;
}

/**
 * What becomes of readings, in the order in which it happens:
 *
 * - `repeated`: the tag still rests on the reader, nothing else happens;
 * - `scan`: accepted, at once, before anything is written;
 * - then one of `attendance`: durably written down, with the name if the tag has one; `provisional`: durably kept, its
 *   day and time are not known until the clock is right, when its `attendance` follows; or `failed`: not written.
 *   What failed and `isKept` in memory is written when the store is well again, and its `attendance` follows then;
 * - `name-unavailable`: written down, but the name could not be read; the `attendance` follows without it.
 *
 * And, of no reading in particular, `trouble`: what a store holds from earlier could not be read, or not be filed.
 */
export type AttendanceEvent =
  | { readonly kind: 'repeated'; readonly reading: Reading }
  | { readonly kind: 'scan'; readonly scan: Scan }
  | {
      readonly kind: 'attendance';
      readonly scan: Scan;
      readonly outcome: RecordOutcome;
      readonly name: Name | undefined;
      /** Given if the scan was provisional before. */
      readonly filed?: FiledScan;
    }
  | {
      readonly kind: 'provisional';
      /** Its time and day are what a clock shows that cannot be trusted. */
      readonly scan: Scan;
      readonly sequence: number;
      readonly name: Name | undefined;
    }
  | { readonly kind: 'failed'; readonly scan: Scan; readonly error: unknown; readonly isKept: boolean }
  | { readonly kind: 'name-unavailable'; readonly scan: Scan; readonly error: unknown }
  | { readonly kind: 'trouble'; readonly error: unknown };

export interface AttendanceDependencies {
  readonly days: DayStore;
  readonly mapping: MappingStore;
  /** Without one, scans are recorded under the time that the clock shows, trusted or not. */
  readonly provisional?: ProvisionalStore;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly indicator?: Indicator;
}

export interface AttendanceOptions {
  /** Milliseconds, 0..86400000, default 2000: see {@link RepeatWindow}. */
  readonly repeatWindowMs?: number;
  /** Most scans that are kept in memory while the store cannot write, 0..1000000, default 10000. */
  readonly backlogLimit?: number;
}

/** A scan on its way into the store. */
interface Tap {
  readonly scan: Scan;
  readonly reading: Reading;
  /** Whether the clock could not be trusted when it was taken. */
  readonly isProvisional: boolean;
  /** Why it could not be written. */
  error: unknown;
  /** Whether it waits in the backlog. */
  isKept: boolean;
}

/** What a scan came to, in the terms of {@link AttendanceEvent}. */
type Written =
  | { readonly kind: 'attendance'; readonly scan: Scan; readonly outcome: RecordOutcome }
  | { readonly kind: 'provisional'; readonly scan: Scan; readonly sequence: number };

/**
 * Turns readings into attendance, and answers who was there.
 *
 * ```
 * Reading -> repeat window -> Scan -> DayStore.record (durable) -> `attendance` event, Indicator
 *                               |        \-> backlog, while the store cannot write
 *                               |-> ProvisionalStore, while the clock cannot be trusted
 *                               \-> `scan` event, at once
 * ```
 *
 * Every scan of a valid tag is recorded, whether it has a name or not. One scan that fails does not touch the
 * next one. It can be opened when its stores are, and takes readings while it is open; questions it answers as its
 * stores do.
 */
export class AttendanceService extends ManagedResource {
  readonly events: Subscribable<AttendanceEvent>;
  readonly #events = new Emitter<AttendanceEvent>();
  readonly #days: DayStore;
  readonly #mapping: MappingStore;
  readonly #provisionalStore: ProvisionalStore | undefined;
  readonly #provisional: ProvisionalScans | undefined;
  readonly #calendar: Calendar;
  readonly #timekeeper: Timekeeper;
  readonly #indications = new Emitter<Indication>();
  readonly #repeatWindow: RepeatWindow;
  readonly #backlog: Backlog<Tap>;
  readonly #inFlight = new Set<Promise<void>>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(dependencies: AttendanceDependencies, options: AttendanceOptions = {}) {
    super();
    const { days, mapping, provisional: store, calendar, timekeeper, indicator } = dependencies;
    this.#days = days;
    this.#mapping = mapping;
    this.#calendar = calendar;
    this.#timekeeper = timekeeper;
    this.#provisionalStore = store;
    if (store !== undefined) {
      this.#provisional = new ProvisionalScans({
        store,
        days,
        calendar,
        timekeeper,
        onFiled: (scan, filing, outcome) => this.#tellFiled(scan, filing, outcome),
        onTrouble: (error) => this.#events.emit({ kind: 'trouble', error }),
      });
    }
    if (indicator !== undefined) this.#indications.subscribe((indication) => indicator.show(indication));
    this.#repeatWindow = new RepeatWindow(options.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS);
    this.#backlog = new Backlog(
      (tap) => this.#write(tap),
      timekeeper.clock,
      options.backlogLimit ?? BACKLOG_DEFAULT_LIMIT,
    );
    this.events = this.#events;
  }

  /** What waits in memory for a store that cannot write. */
  get backlog(): BacklogState {
    return this.#backlog.state;
  }

  /** Takes every reading of a source from now on, until the subscription ends, while the service is open. */
  listen(source: IdSource): Subscription {
    return source.readings.subscribe((reading) => {
      if (this.status === 'open') void this.take(reading);
    });
  }

  /** Takes one reading. Resolves when what became of it was announced; rejects with `NOT_OPEN` only. */
  async take(reading: Reading): Promise<void> {
    if (this.status !== 'open') throw this.notOpen();
    if (!this.#repeatWindow.accepts(reading)) {
      this.#events.emit({ kind: 'repeated', reading });
      return;
    }
    const tap = this.#toTap(reading);
    this.#events.emit({ kind: 'scan', scan: tap.scan });
    const recording = this.#record(tap).finally(() => this.#inFlight.delete(recording));
    this.#inFlight.add(recording);
    await recording;
  }

  /** Resolves when nothing that was taken so far is still being written. What waits in the backlog does not count. */
  async settled(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** The record of a day, `undefined` if it has none. Rejects as {@link DayStore} does. */
  loadDay(day: Day): Promise<AttendanceDay | undefined> {
    return this.#days.load(day);
  }

  /** The days with a record from the day of one timestamp to the day of another, both included, ascending. */
  listDays(from: Day, to: Day): Promise<readonly Day[]> {
    return this.#days.list(from, to);
  }

  /** Changes whenever what {@link loadDay} returns changes. */
  dayRevision(day: Day): Promise<Revision> {
    return this.#days.dayRevision(day);
  }

  /** Changes whenever what {@link listDays} returns changes. */
  listRevision(): Promise<Revision> {
    return this.#days.listRevision();
  }

  /** The scans that wait for the clock, and those whose time could only be estimated, in the order of taking. */
  async listProvisional(): Promise<readonly ProvisionalScan[]> {
    return (await this.#provisionalStore?.list()) ?? [];
  }

  protected override async onOpen(): Promise<void> {
    try {
      await this.#learnLatestScan();
    } catch (error) {
      // A damaged day must not keep today's scans from being recorded.
      this.#events.emit({ kind: 'trouble', error });
    }
    this.#provisional?.start();
    void this.#backlog.attempt();
  }

  protected override async onClose(): Promise<void> {
    await this.settled();
    await this.#backlog.attempt();
    this.#backlog.stop();
    await this.#provisional?.stop();
  }

  async #learnLatestScan(): Promise<void> {
    const lastDay = (await this.#days.list(0 as Day, DAY_MAX)).at(-1);
    const record = lastDay === undefined ? undefined : await this.#days.load(lastDay);
    for (const { last } of record?.entries ?? []) this.#timekeeper.noteScan(last);
  }

  #toTap(reading: Reading): Tap {
    const at = this.#timekeeper.timeOf(reading);
    return {
      scan: { id: reading.id, reader: reading.reader, at, day: this.#calendar.dayOf(at) },
      reading,
      isProvisional: !this.#timekeeper.trust().isTrusted,
      error: undefined,
      isKept: false,
    };
  }

  async #record(tap: Tap): Promise<void> {
    // First what waits, so that scans are written in the order in which they were taken.
    if (!this.#backlog.isEmpty) await this.#backlog.attempt();
    if (this.#backlog.isEmpty && (await this.#write(tap))) return;
    this.#fail(tap, this.#backlog.add(tap));
  }

  /** Writes a scan down, says so, and says whether it is done with. */
  async #write(tap: Tap): Promise<boolean> {
    const [written, name] = await Promise.allSettled([this.#store(tap), this.#nameOf(tap.scan.id)]);
    if (written.status === 'rejected') {
      tap.error = written.reason;
      // A damaged row does not mend by waiting.
      if (!isTallybookError(tap.error, 'STORE_CORRUPT')) return false;
      this.#fail(tap, false);
      return true;
    }
    const known = this.#tell(written.value, name);
    // Nobody stands at the reader any more when the backlog is written.
    if (!tap.isKept) this.#indicate(tap.scan, known === undefined ? 'unknown' : signalOf(written.value));
    return true;
  }

  async #store({ scan, reading, isProvisional }: Tap): Promise<Written> {
    const { id, reader, day, at } = scan;
    if (isProvisional && this.#provisional !== undefined) {
      const { monotonicMs } = reading;
      const sequence = await this.#provisional.hold({ id, reader, monotonicMs, shown: at });
      return { kind: 'provisional', scan, sequence };
    }
    const outcome = await this.#days.record(day, id, at);
    this.#timekeeper.noteScan(at);
    return { kind: 'attendance', scan, outcome };
  }

  // Async, so that a store that throws at once is taken like one that rejects.
  async #nameOf(id: TallyId): Promise<Name | undefined> {
    return this.#mapping.get(id);
  }

  /** Announces what is written down, and returns the name that goes with it. */
  #tell(
    written: Written & { readonly filed?: FiledScan },
    found: PromiseSettledResult<Name | undefined>,
  ): Name | undefined {
    if (found.status === 'rejected') {
      this.#events.emit({ kind: 'name-unavailable', scan: written.scan, error: found.reason });
    }
    const name = found.status === 'fulfilled' ? found.value : undefined;
    this.#events.emit({ ...written, name });
    return name;
  }

  async #tellFiled(
    { sequence, id, reader }: ProvisionalScan,
    filing: Filing,
    outcome: RecordOutcome,
  ): Promise<void> {
    const { day, at, estimate } = filing;
    const filed: FiledScan = { sequence, ...(estimate === undefined ? {} : { estimate }) };
    const [name] = await Promise.allSettled([this.#nameOf(id)]);
    this.#tell({ kind: 'attendance', scan: { id, reader, at, day }, outcome, filed }, name);
  }

  #fail(tap: Tap, isKept: boolean): void {
    const { scan, reading, error } = tap;
    if (!isKept) this.#repeatWindow.allowRetry(reading);
    this.#events.emit({ kind: 'failed', scan, error, isKept });
    if (!tap.isKept) this.#indicate(scan, 'failed');
    tap.isKept = isKept;
  }

  #indicate({ id, reader }: Scan, signal: Signal): void {
    this.#indications.emit({ signal, id, reader });
  }
}

function signalOf(written: Written): Signal {
  return written.kind === 'attendance' ? written.outcome : 'counted';
}
