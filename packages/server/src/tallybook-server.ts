import {
  ManagedResource,
  openAll,
  type AttendanceService,
  type IdSource,
  type Lifecycle,
  type OpenResources,
  type Subscription,
} from '@tallybook/domain';
import type { HttpListener } from './http-listener.js';

export interface ServerParts {
  readonly listener: HttpListener;
  /** What the attendance service listens to from before anything is open until everything is closed. */
  readonly sources: readonly IdSource[];
  readonly attendance: AttendanceService;
  /** One of `parts`, begun first and awaited in its turn: it asks another program. */
  readonly early: Lifecycle;
  /** Everything that is opened, in this order, and closed in the reverse order. */
  readonly parts: readonly Lifecycle[];
}

/** The whole service as one thing to open and close. */
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
    const { sources, attendance, early, parts } = this.#parts;
    this.#subscriptions = sources.map((source) => attendance.listen(source));
    // If it cannot be opened, it fails again in its turn.
    early.open().catch(() => undefined);
    try {
      this.#opened = await openAll(parts);
    } catch (error) {
      await early.close();
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
