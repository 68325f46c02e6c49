import {
  ManagedResource,
  openAll,
  type AttendanceService,
  type IdSource,
  type Lifecycle,
  type OpenResources,
  type Subscription,
} from '@tallybook/domain';
import type { HttpListener } from '../http/http-listener.js';

/** What is made of the service while the store opens. */
export interface ServerParts {
  readonly listener: HttpListener;
  /** What the attendance service listens to from before anything is open until everything is closed. */
  readonly sources: readonly IdSource[];
  readonly attendance: AttendanceService;
  /** Everything that is opened, in this order, and closed in the reverse order. */
  readonly parts: readonly Lifecycle[];
}

/** What a start begins with. */
export interface EarlyParts {
  /** Asks another program, and is awaited in its turn. */
  readonly clock: Lifecycle;
  /** Waits for the disk. */
  readonly store: Lifecycle;
  /** Resolves when the store waits, and this thread has time to make the other parts; maybe never. */
  readonly storeWaits: Promise<void>;
}

/** The whole service as one thing to open and close. */
export class TallybookServer extends ManagedResource {
  readonly #early: EarlyParts;
  readonly #makeParts: () => ServerParts;
  #listener: HttpListener | undefined;
  #subscriptions: readonly Subscription[] = [];
  #opened: OpenResources | undefined;

  /**
   * @param early Each is one of the parts, too.
   * @param makeParts Gives the same ones each time.
   */
  constructor(early: EarlyParts, makeParts: () => ServerParts) {
    super();
    this.#early = early;
    this.#makeParts = makeParts;
  }

  /** Where it listens, for example `http://127.0.0.1:8080`. */
  get url(): string {
    if (this.#listener === undefined) throw this.notOpen();
    return this.#listener.url;
  }

  protected override async onOpen(): Promise<void> {
    const { clock, store, storeWaits } = this.#early;
    const opening = store.open();
    // It is awaited once the parts are made.
    opening.catch(() => undefined);
    try {
      await Promise.race([storeWaits, opening]);
      // Not before: who starts a program waits until it runs. If the clock cannot be opened, it fails again in its turn.
      clock.open().catch(() => undefined);
      const { listener, sources, attendance, parts } = this.#makeParts();
      this.#listener = listener;
      this.#subscriptions = sources.map((source) => attendance.listen(source));
      await opening;
      this.#opened = await openAll(parts);
    } catch (error) {
      await store.close();
      await clock.close();
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
