import type { AttendanceDay, RecordOutcome } from './attendance-day.js';
import type { Calendar } from './calendar.js';
import type { Day } from './day.js';
import type { Name } from './name.js';
import type { DayStore } from './ports/day-store.js';
import type { IdSource, Reading } from './ports/id-source.js';
import type { Indication, Indicator, Signal } from './ports/indicator.js';
import type { MappingStore } from './ports/mapping-store.js';
import type { Revision } from './ports/revision.js';
import { REPEAT_WINDOW_DEFAULT_MS, RepeatWindow } from './repeat-window.js';
import { Emitter, type Subscribable, type Subscription } from './subscribable.js';
import type { TallyId } from './tally-id.js';
import type { Timestamp } from './timestamp.js';

/** A reading that was accepted as a tap of its own. */
export interface Scan {
  readonly id: TallyId;
  readonly reader: string;
  readonly at: Timestamp;
  readonly day: Day;
}

/**
 * What becomes of readings, in the order in which it happens:
 *
 * - `repeated`: the tag still rests on the reader, nothing else happens;
 * - `scan`: accepted, at once, before anything is written;
 * - then one of `attendance`: durably written down, with the name if the tag has one, or `failed`: not written;
 * - `name-unavailable`: written down, but the name could not be read; the `attendance` follows without it.
 */
export type AttendanceEvent =
  | { readonly kind: 'repeated'; readonly reading: Reading }
  | { readonly kind: 'scan'; readonly scan: Scan }
  | {
      readonly kind: 'attendance';
      readonly scan: Scan;
      readonly outcome: RecordOutcome;
      readonly name: Name | undefined;
    }
  | { readonly kind: 'failed'; readonly scan: Scan; readonly error: unknown }
  | { readonly kind: 'name-unavailable'; readonly scan: Scan; readonly error: unknown };

export interface AttendanceDependencies {
  readonly days: DayStore;
  readonly mapping: MappingStore;
  readonly calendar: Calendar;
  readonly indicator?: Indicator;
}

export interface AttendanceOptions {
  /** Milliseconds, 0..86400000, default 2000: see {@link RepeatWindow}. */
  readonly repeatWindowMs?: number;
}

/**
 * Turns readings into attendance, and answers who was there.
 *
 * ```
 * Reading -> repeat window -> Scan -> DayStore.record (durable) -> `attendance` event, Indicator
 *                               \-> `scan` event, at once
 * ```
 *
 * Every scan of a valid tag is recorded, whether it has a name or not. One scan that fails does not touch the
 * next one, and a tap that could not be written may be repeated after a second.
 */
export class AttendanceService {
  readonly events: Subscribable<AttendanceEvent>;
  readonly #events = new Emitter<AttendanceEvent>();
  readonly #days: DayStore;
  readonly #mapping: MappingStore;
  readonly #calendar: Calendar;
  readonly #indications = new Emitter<Indication>();
  readonly #repeatWindow: RepeatWindow;
  readonly #inFlight = new Set<Promise<void>>();

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(dependencies: AttendanceDependencies, options: AttendanceOptions = {}) {
    this.#days = dependencies.days;
    this.#mapping = dependencies.mapping;
    this.#calendar = dependencies.calendar;
    const { indicator } = dependencies;
    if (indicator !== undefined) this.#indications.subscribe((indication) => indicator.show(indication));
    this.#repeatWindow = new RepeatWindow(options.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS);
    this.events = this.#events;
  }

  /** Takes every reading of a source from now on, until the subscription ends. */
  listen(source: IdSource): Subscription {
    return source.readings.subscribe((reading) => void this.take(reading));
  }

  /** Takes one reading. Resolves when what became of it was announced; never rejects. */
  take(reading: Reading): Promise<void> {
    if (!this.#repeatWindow.accepts(reading)) {
      this.#events.emit({ kind: 'repeated', reading });
      return Promise.resolve();
    }
    const { id, reader, at } = reading;
    const scan: Scan = { id, reader, at, day: this.#calendar.dayOf(at) };
    this.#events.emit({ kind: 'scan', scan });
    const recording = this.#record(scan, reading).finally(() => this.#inFlight.delete(recording));
    this.#inFlight.add(recording);
    return recording;
  }

  /** Resolves when nothing that was taken so far is still being written. */
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

  async #record(scan: Scan, reading: Reading): Promise<void> {
    const [recorded, found] = await Promise.allSettled([this.#write(scan), this.#nameOf(scan)]);
    if (recorded.status === 'rejected') {
      this.#repeatWindow.allowRetry(reading);
      this.#events.emit({ kind: 'failed', scan, error: recorded.reason });
      this.#indicate(scan, 'failed');
      return;
    }
    const outcome = recorded.value;
    if (found.status === 'rejected') {
      this.#events.emit({ kind: 'name-unavailable', scan, error: found.reason });
    }
    const name = found.status === 'fulfilled' ? found.value : undefined;
    this.#events.emit({ kind: 'attendance', scan, outcome, name });
    this.#indicate(scan, name === undefined ? 'unknown' : outcome);
  }

  // Async, so that a store that throws at once is taken like one that rejects.
  async #write(scan: Scan): Promise<RecordOutcome> {
    return this.#days.record(scan.day, scan.id, scan.at);
  }

  async #nameOf(scan: Scan): Promise<Name | undefined> {
    return this.#mapping.get(scan.id);
  }

  #indicate(scan: Scan, signal: Signal): void {
    this.#indications.emit({ signal, id: scan.id, reader: scan.reader });
  }
}
