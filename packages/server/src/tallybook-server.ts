import {
  ManagedResource,
  openAll,
  type AttendanceService,
  type DayStore,
  type IdSource,
  type Lifecycle,
  type MappingStore,
  type OpenResources,
  type Subscription,
} from '@tallybook/domain';
import type { HttpListener } from './http-listener.js';

/** Hands the readings of all readers to the service; closing waits until what was taken is written. */
class Recording extends ManagedResource {
  readonly #attendance: AttendanceService;
  readonly #sources: readonly IdSource[];
  #subscriptions: readonly Subscription[] = [];

  constructor(attendance: AttendanceService, sources: readonly IdSource[]) {
    super();
    this.#attendance = attendance;
    this.#sources = sources;
  }

  protected override async onOpen(): Promise<void> {
    this.#subscriptions = this.#sources.map((source) => this.#attendance.listen(source));
  }

  protected override async onClose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await this.#attendance.settled();
  }
}

export interface ServerParts {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly listener: HttpListener;
  /** The event streams. */
  readonly events: Lifecycle;
  readonly log: Lifecycle;
  readonly attendance: AttendanceService;
  readonly sources: readonly IdSource[];
}

/**
 * The whole service as one thing to open and close.
 *
 * It closes in this order: readers, writes in flight, event streams, HTTP, stores.
 */
export class TallybookServer extends ManagedResource {
  readonly #parts: ServerParts;
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
    const { mapping, days, listener, events, log, attendance, sources } = this.#parts;
    const recording = new Recording(attendance, sources);
    this.#opened = await openAll([mapping, days, listener, events, log, recording, ...sources]);
  }

  protected override async onClose(): Promise<void> {
    await this.#opened?.close();
    this.#opened = undefined;
  }
}
