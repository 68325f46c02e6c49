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

/** The parts of the service that are made while the store opens. */
export interface ServerParts {
  readonly listener: HttpListener;
  /** The readers. The attendance service listens to them before anything is open, and until everything is closed. */
  readonly sources: readonly IdSource[];
  readonly attendance: AttendanceService;
  /** Everything that is opened, in this order, and closed in the reverse order. */
  readonly parts: readonly Lifecycle[];
}

/** The parts that are opened first. */
export interface EarlyParts {
  /** Reads the files of the certificate, so that mistakes in them are found before anything is written. */
  readonly certificate: Lifecycle;
  /** Starts another program. It is awaited later, in its turn. */
  readonly clock: Lifecycle;
  /** Waits for the disk while it opens. */
  readonly store: Lifecycle;
  /** Resolves when the store waits, so that this thread has time to make the other parts. It may never resolve. */
  readonly storeWaits: Promise<void>;
}

/** The whole service, which can be opened and closed. */
export class TallybookServer extends ManagedResource {
  readonly #early: EarlyParts;
  readonly #makeParts: () => ServerParts;
  readonly #reportFault: (error: unknown) => void;
  #listener: HttpListener | undefined;
  #subscriptions: readonly Subscription[] = [];
  #opened: OpenResources | undefined;

  /**
   * @param early Each of these is also one of the parts.
   * @param makeParts Returns the same parts each time.
   * @param reportFault Called with further errors when a start fails: the start rejects with its first error.
   */
  constructor(
    early: EarlyParts,
    makeParts: () => ServerParts,
    reportFault: (error: unknown) => void = () => undefined,
  ) {
    super();
    this.#early = early;
    this.#makeParts = makeParts;
    this.#reportFault = reportFault;
  }

  /** The address on which it listens, for example `http://127.0.0.1:8080`. */
  get url(): string {
    if (this.#listener === undefined) throw this.notOpen();
    return this.#listener.url;
  }

  protected override async onOpen(): Promise<void> {
    const { certificate, clock, store, storeWaits } = this.#early;
    await certificate.open();
    const opening = store.open();
    // It is awaited after the parts are made.
    opening.catch(() => undefined);
    try {
      await Promise.race([storeWaits, opening]);
      // Not opened earlier, because starting a program blocks this thread. If the clock cannot be opened, it fails again in
      // its turn.
      clock.open().catch(() => undefined);
      const { listener, sources, attendance, parts } = this.#makeParts();
      this.#listener = listener;
      this.#subscriptions = sources.map((source) => attendance.listen(source));
      await opening;
      this.#opened = await openAll(parts);
    } catch (error) {
      for (const part of [store, clock, certificate]) await part.close().catch(this.#reportFault);
      this.#stopListening();
      throw this.#firstOf(error);
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

  /** The first error of a failed start. The others, from closing parts again, are reported. */
  #firstOf(error: unknown): unknown {
    if (!(error instanceof AggregateError && error.cause !== undefined)) return error;
    for (const other of error.errors) if (other !== error.cause) this.#reportFault(other);
    return error.cause;
  }

  #stopListening(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }
}
