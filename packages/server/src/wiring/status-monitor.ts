import { ManagedResource, type Subscription, type TallybookError, type Timekeeper } from '@tallybook/domain';
import type { PublisherStatus, ServiceStatus, StatusSource, UpstreamStatus } from '@tallybook/http-koa';
import type { Publisher } from '@tallybook/devices';
import { readStorage } from './read-storage.js';

export interface StatusMonitorParts {
  readonly version: string;
  /** Name of the place. */
  readonly name?: string | undefined;
  readonly timekeeper: Timekeeper;
  readonly publishers: readonly Publisher[];
  /** The state of sending to a centre; `undefined` without a centre. */
  readonly readUpstream?: () => Promise<UpstreamStatus | undefined>;
  /** The folder of the store; `undefined` if the store is in memory. */
  readonly storeFolder: string | undefined;
}

/** The status of the service since this was opened. Open it before the publishers. */
export class StatusMonitor extends ManagedResource implements StatusSource {
  readonly #parts: StatusMonitorParts;
  readonly #lastFaults = new Map<
    Publisher,
    { readonly fault: TallybookError; readonly monotonicMs: number }
  >();
  #openedMs = 0;
  #subscriptions: readonly Subscription[] = [];
  /** The running read. Calls during it share its result, so that many calls do not load the disk. */
  #reading: Promise<ServiceStatus> | undefined;

  constructor(parts: StatusMonitorParts) {
    super();
    this.#parts = parts;
  }

  read(): Promise<ServiceStatus> {
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  sendAgain(name: string): boolean {
    const publisher = this.#parts.publishers.find((each) => each.name === name);
    publisher?.sendAgain();
    return publisher !== undefined;
  }

  protected override async onOpen(): Promise<void> {
    const { timekeeper, publishers } = this.#parts;
    this.#openedMs = timekeeper.clock.monotonicMs();
    this.#lastFaults.clear();
    this.#subscriptions = publishers.map((publisher) =>
      publisher.faults.subscribe((fault) => {
        this.#lastFaults.set(publisher, { fault, monotonicMs: timekeeper.clock.monotonicMs() });
      }),
    );
  }

  protected override async onClose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }

  async #readOnce(): Promise<ServiceStatus> {
    const { version, name, publishers, storeFolder, readUpstream } = this.#parts;
    return {
      version,
      name,
      storage: storeFolder === undefined ? undefined : await readStorage(storeFolder),
      startedAt: this.#parts.timekeeper.timeSince(this.#openedMs),
      publishers: await Promise.all(publishers.map((publisher) => this.#describe(publisher))),
      // Left out if the store fails, because this must not reject.
      upstream: await readUpstream?.().catch(() => undefined),
    };
  }

  async #describe(publisher: Publisher): Promise<PublisherStatus> {
    const { name, connection, setAside } = publisher;
    const waiting = await publisher.countWaiting();
    const last = this.#lastFaults.get(publisher);
    const lastFault = last && {
      code: last.fault.code,
      message: last.fault.message,
      at: this.#parts.timekeeper.timeSince(last.monotonicMs),
    };
    const isStopped = publisher.stopped !== undefined;
    return { name, connection, waiting, setAside, isStopped, lastFault };
  }
}
