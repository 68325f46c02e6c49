import type { ErrorCode } from '../errors.js';
import { ManagedResource } from '../lifecycle.js';
import type { IdSource, ReaderConnection, ReaderFault } from '../ports/devices/id-source.js';
import type { Subscription } from '../subscribable.js';
import type { Timekeeper } from '../time/timekeeper.js';
import type { Timestamp } from '../values/timestamp.js';

/** State of a reader. */
export interface ReaderState {
  readonly name: string;
  /** Kind of device; `undefined` if unknown. */
  readonly kind: string | undefined;
  readonly connection: ReaderConnection;
  /** Time of the last change of the connection. */
  readonly since: Timestamp;
  /** Time of the first fault since the last reading or reconnection; `undefined` if there is none. */
  readonly faultySince: Timestamp | undefined;
  readonly lastReading: Timestamp | undefined;
  /** Number of faults, by code. */
  readonly faults: Readonly<Partial<Record<ErrorCode, number>>>;
  readonly lastFault:
    | { readonly code: ErrorCode; readonly message: string; readonly at: Timestamp }
    | undefined;
}

/** A moment that is converted to the time of day by the present clock. */
interface Moment {
  readonly at: Timestamp;
  readonly monotonicMs: number;
}

/** Two calculations of one moment differ by fewer seconds than this, unless the clock was set between them. */
const ROUNDING = 2;

/**
 * Watches readers from its opening on, and gives the state of each. Open it before the readers.
 *
 * When the clock is set, or follows a time server, earlier moments are converted to the new time. Otherwise a reader
 * that was connected while the clock showed 1970 would seem connected for half a century.
 */
export class ReaderMonitor extends ManagedResource {
  readonly #timekeeper: Timekeeper;
  readonly #sources: readonly IdSource[];
  #watches: readonly ReaderWatch[] = [];

  constructor(timekeeper: Timekeeper, sources: readonly IdSource[]) {
    super();
    this.#timekeeper = timekeeper;
    this.#sources = sources;
  }

  /** The readers, in their given order; none before the opening. */
  list(): readonly ReaderState[] {
    return this.#watches.map((watch) => watch.state());
  }

  /** Adds a fault that the reader itself cannot report: that it cannot be opened. */
  note(fault: ReaderFault): void {
    this.#watches.find(({ name }) => name === fault.reader)?.note(fault);
  }

  protected override async onOpen(): Promise<void> {
    this.#watches = this.#sources.map((source) => new ReaderWatch(source, this.#timekeeper));
  }

  protected override async onClose(): Promise<void> {
    for (const watch of this.#watches) watch.stop();
  }
}

/** Watches one reader from now on. */
class ReaderWatch {
  readonly #source: IdSource;
  readonly #timekeeper: Timekeeper;
  readonly #subscriptions: readonly Subscription[];
  readonly #faults: Partial<Record<ErrorCode, number>> = {};
  #since: Moment;
  #faultySince: Moment | undefined;
  #lastReading: Moment | undefined;
  #lastFault: (Moment & { readonly fault: ReaderFault }) | undefined;

  constructor(source: IdSource, timekeeper: Timekeeper) {
    this.#source = source;
    this.#timekeeper = timekeeper;
    this.#since = this.#now();
    this.#subscriptions = [
      source.readings.subscribe(({ at, monotonicMs }) => {
        this.#lastReading = { at, monotonicMs };
        this.#faultySince = undefined;
      }),
      source.connections.subscribe((connection) => {
        this.#since = this.#now();
        if (connection === 'connected') this.#faultySince = undefined;
      }),
      source.faults.subscribe((fault) => {
        this.note(fault);
      }),
    ];
  }

  get name(): string {
    return this.#source.name;
  }

  note(fault: ReaderFault): void {
    const { code } = fault.error;
    const now = this.#now();
    this.#lastFault = { ...now, fault };
    this.#faults[code] = (this.#faults[code] ?? 0) + 1;
    this.#faultySince ??= now;
  }

  state(): ReaderState {
    const { name, kind, connection } = this.#source;
    return {
      name,
      kind,
      connection,
      since: this.#tell(this.#since),
      faultySince: this.#faultySince && this.#tell(this.#faultySince),
      lastReading: this.#lastReading && this.#tell(this.#lastReading),
      faults: { ...this.#faults },
      lastFault: this.#lastFault && {
        code: this.#lastFault.fault.error.code,
        message: this.#lastFault.fault.error.message,
        at: this.#tell(this.#lastFault),
      },
    };
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  #now(): Moment {
    const { clock } = this.#timekeeper;
    return { at: clock.now(), monotonicMs: clock.monotonicMs() };
  }

  #tell(moment: Moment): Timestamp {
    const told = this.#timekeeper.timeOf(moment);
    const counted = this.#timekeeper.timeSince(moment.monotonicMs);
    return Math.abs(counted - told) < ROUNDING ? told : counted;
  }
}
