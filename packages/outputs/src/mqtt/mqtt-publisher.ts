import { randomBytes } from 'node:crypto';
import {
  MqttConnection,
  toAsciiJson,
  type Broker,
  type DeviceConnection,
  type Publication,
  type PublisherDependencies,
  type ScanData,
} from '@tallybook/devices';
import type { AttendanceEvent, Subscription } from '@tallybook/domain';
import { FeedPublisher, LAST_DELIVERY_MS } from '../feed-publisher.js';
import { describeToHomeAssistant } from './home-assistant.js';

export interface MqttPublisherOptions {
  readonly name: string;
  readonly broker: Broker;
  /** Topic: messages go to `scan` and `record` below it, the status to `status`. */
  readonly topic: string;
  /** Whether messages contain the names of people. */
  readonly withNames: boolean;
  /** Prefix of Home Assistant's discovery; `undefined`: off. */
  readonly discoveryPrefix: string | undefined;
  /** Milliseconds to wait before an attempt to connect, which is counted from 1. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
}

/** Largest number of messages that wait for an acknowledgement of the broker. */
const WINDOW = 32;

/**
 * Publishes the changes of the record to an MQTT broker.
 *
 * ```
 * ChangeFeed -> `TOPIC/scan`, `TOPIC/record`, in order -> acknowledged -> the next ones
 * attendance.events -> `TOPIC/scan`, for scans that could not be recorded, if the broker is there
 * ```
 *
 * If the connection or the process ends before an acknowledgement, the message comes again with the same id.
 */
export class MqttPublisher extends FeedPublisher {
  readonly #options: MqttPublisherOptions;
  readonly #attendance: PublisherDependencies['attendance'];
  readonly #connection: MqttConnection;
  #subscription: Subscription | undefined;
  #told: DeviceConnection = 'waiting';
  /** Whether the refused subscription to the status of Home Assistant was reported. */
  #isRefusalTold = false;

  constructor(options: MqttPublisherOptions, dependencies: PublisherDependencies) {
    const { name, broker, topic, withNames, discoveryPrefix, retryDelayMs } = options;
    super({ name, withNames, batchSize: WINDOW }, dependencies);
    this.#options = options;
    this.#attendance = dependencies.attendance;
    this.#connection = new MqttConnection({
      broker,
      clock: dependencies.timekeeper.clock,
      purpose: `publisher ${name}`,
      faultCode: 'OUTPUT_FAILED',
      statusTopic: `${topic}/status`,
      filters: discoveryPrefix === undefined ? [] : [`${discoveryPrefix}/status`],
      onMessage: ({ payload }) => {
        // Home Assistant publishes `online` when it has started. Not awaited: the next message is handled only after this
        // returns.
        if (payload.toString() === 'online') void this.#announce();
      },
      onRefused: (fault) => {
        if (!this.#isRefusalTold) this.emitFault(fault);
        this.#isRefusalTold = true;
      },
      onConnected: () => {
        this.#tell('connected');
        void this.#announce();
        this.feed.sendAgain();
      },
      onWaiting: (fault) => {
        if (fault !== undefined) this.emitFault(fault);
        // Attempts to connect go on, because the file of credentials may be corrected meanwhile.
        if (fault?.details['reason'] === 'credentials') this.feed.stop(fault);
        this.#tell('waiting');
      },
      retryDelayMs,
    });
  }

  override get connection(): DeviceConnection {
    return this.#told;
  }

  override sendAgain(): void {
    this.feed.wake();
  }

  protected override async onOpen(): Promise<void> {
    this.#told = 'waiting';
    this.#isRefusalTold = false;
    await this.feed.open();
    this.#subscription = this.#attendance.events.subscribe((event) => this.#hear(event));
    try {
      await this.#connection.open();
    } catch (error) {
      await this.#stop();
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    await this.feed.finish(LAST_DELIVERY_MS);
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#subscription?.unsubscribe();
    // This makes unacknowledged messages fail, so that the feed does not wait for them.
    await this.#connection.close();
    this.#told = 'waiting';
    await this.feed.close();
  }

  #tell(connection: DeviceConnection): void {
    if (connection !== this.#told) this.emitConnection(connection);
    this.#told = connection;
  }

  protected override async deliver(publications: readonly Publication[]): Promise<number> {
    const publishing = publications.map(({ kind, id, data }) => this.#publish(kind, id, data));
    const results = await Promise.allSettled(publishing);
    const failed = results.findIndex(({ status }) => status === 'rejected');
    // Failed publications are delivered when the broker is there again.
    return failed === -1 ? publications.length : failed;
  }

  /** Publishes a scan that could not be recorded. It is not in the journal, so it cannot be published later. */
  #hear(event: AttendanceEvent): void {
    if (event.kind !== 'failed') return;
    const { id, reader } = event.scan;
    const { isKept } = event;
    const data: ScanData = { id, day: null, at: null, outcome: 'failed', reader, isKept, late: false };
    const message = `${this.feed.origin}-failed-${randomBytes(4).toString('hex')}`;
    this.#publish('scan', message, data).catch(() => undefined);
  }

  #publish(kind: Publication['kind'], message: string, data: object): Promise<void> {
    return this.#connection.publish(`${this.#options.topic}/${kind}`, toAsciiJson({ message, ...data }));
  }

  async #announce(): Promise<void> {
    const { discoveryPrefix, topic } = this.#options;
    if (discoveryPrefix === undefined) return;
    const discoveries = describeToHomeAssistant(discoveryPrefix, topic);
    // If the broker is lost meanwhile, the discoveries are published when it is there again.
    await Promise.allSettled(
      discoveries.map((each) => this.#connection.publish(each.topic, each.payload, { retain: true })),
    );
  }
}
