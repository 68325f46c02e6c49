import {
  ManagedResource,
  openAll,
  type AttendanceService,
  type DayStore,
  type IdSource,
  type Lifecycle,
  type MappingStore,
  type OpenResources,
  type ProvisionalStore,
  type Subscription,
} from '@tallybook/domain';
import type { HttpListener } from './http-listener.js';

export interface ServerParts {
  readonly systemClock: Lifecycle;
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly provisional: ProvisionalStore;
  readonly readerMonitor: Lifecycle;
  readonly listener: HttpListener;
  /** The event streams. */
  readonly events: Lifecycle;
  readonly log: Lifecycle;
  readonly outputLog: Lifecycle;
  /** What tells others, and the people at the readers, what happened. */
  readonly outputs: Lifecycle;
  readonly attendance: AttendanceService;
  readonly clockLog: Lifecycle;
  readonly sources: readonly IdSource[];
  /** Opens and closes the sources. */
  readonly readers: Lifecycle;
  /** What writes backups. */
  readonly backups: Lifecycle;
}

/**
 * The whole service as one thing to open and close.
 *
 * It closes in this order: a backup that is being written, readers, writes in flight, outputs, event streams, HTTP,
 * stores.
 */
export class TallybookServer extends ManagedResource {
  readonly #parts: ServerParts;
  #subscriptions: readonly Subscription[] = [];
  #opened: OpenResources | undefined;

  constructor(parts: ServerParts) {
    super();
    this.#parts = parts;
  }

  /** Where it listens, for example `http://127.0.0.1:8080`. */
  get url(): string {
    return this.#parts.listener.url;
  }

  protected override async onOpen(): Promise<void> {
    const {
      systemClock,
      mapping,
      days,
      provisional,
      readerMonitor,
      listener,
      events,
      log,
      outputLog,
      outputs,
      attendance,
      clockLog,
      sources,
      readers,
      backups,
    } = this.#parts;
    this.#subscriptions = sources.map((source) => attendance.listen(source));
    // It asks another program; meanwhile the stores open. If it cannot be opened, it fails again below.
    systemClock.open().catch(() => undefined);
    try {
      this.#opened = await openAll([
        mapping,
        days,
        provisional,
        systemClock,
        readerMonitor,
        listener,
        events,
        log,
        outputLog,
        // Before the attendance service, which files and tells of scans as soon as it is open, and until it is closed.
        outputs,
        attendance,
        clockLog,
        readers,
        backups,
      ]);
    } catch (error) {
      await systemClock.close();
      this.#stopListening();
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    try {
      await this.#opened?.close();
    } finally {
      this.#stopListening();
      this.#opened = undefined;
    }
  }

  #stopListening(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }
}
