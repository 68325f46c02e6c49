import {
  ChangeFeed,
  type ChangeFeedOptions,
  type DeviceConnection,
  type Publication,
  type Publisher,
  type PublisherDependencies,
} from '@tallybook/devices';
import { Emitter, ManagedResource, type Subscribable, type TallybookError } from '@tallybook/domain';

/** Longest time that closing waits for deliveries, in milliseconds. */
export const LAST_DELIVERY_MS = 500;

/** Common part of publishers. The subclass delivers the publications of the feed. */
export abstract class FeedPublisher extends ManagedResource implements Publisher {
  readonly name: string;
  readonly #faults = new Emitter<TallybookError>();
  readonly #connections = new Emitter<DeviceConnection>();
  readonly faults: Subscribable<TallybookError> = this.#faults;
  readonly connections: Subscribable<DeviceConnection> = this.#connections;
  protected readonly feed: ChangeFeed;

  constructor(options: Omit<ChangeFeedOptions, 'deliver' | 'onFault'>, dependencies: PublisherDependencies) {
    super();
    this.name = options.name;
    const deliver: ChangeFeedOptions['deliver'] = (publications) => this.deliver(publications);
    const onFault = (fault: TallybookError): void => this.emitFault(fault);
    this.feed = new ChangeFeed({ ...options, deliver, onFault }, dependencies);
  }

  abstract get connection(): DeviceConnection;

  get stopped(): TallybookError | undefined {
    return this.feed.stopped;
  }

  get setAside(): number {
    return this.feed.setAside;
  }

  countWaiting(): Promise<number> {
    return this.feed.countWaiting();
  }

  abstract sendAgain(): void;

  /** As `deliver` of {@link ChangeFeedOptions}. */
  protected abstract deliver(publications: readonly Publication[]): Promise<number | 'refused'>;

  protected emitFault(fault: TallybookError): void {
    this.#faults.emit(fault);
  }

  protected emitConnection(connection: DeviceConnection): void {
    this.#connections.emit(connection);
  }
}
