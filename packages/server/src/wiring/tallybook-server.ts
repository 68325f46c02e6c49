import { ManagedResource, type Lifecycle } from '@tallybook/domain';
import type { HttpListener } from '../http/http-listener.js';

/** The parts of the service that are made while the store opens. */
export interface ServerParts {
  readonly listener: HttpListener;
  /** Everything, the listener included. */
  readonly tallybook: Lifecycle;
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
  #tallybook: Lifecycle | undefined;

  /**
   * @param early Each of these is also one of the parts.
   * @param makeParts Returns the same parts each time.
   * @param reportFault Called with errors from closing the early parts when a start fails.
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
      const { listener, tallybook } = this.#makeParts();
      this.#listener = listener;
      await opening;
      await tallybook.open();
      this.#tallybook = tallybook;
    } catch (error) {
      for (const part of [store, clock, certificate]) await part.close().catch(this.#reportFault);
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    await this.#tallybook?.close();
  }
}
