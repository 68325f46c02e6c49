import { setTimeout as pause } from 'node:timers/promises';
import { MqttConnection, type Broker, type DeviceConnection } from '@tallybook/devices';
import {
  DAY_MAX,
  Emitter,
  ManagedResource,
  TallybookError,
  type AttendanceEvent,
  type Clock,
  type Day,
  type Scan,
  type Subscribable,
  type Subscription,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { describeToHomeAssistant } from './home-assistant.js';
import { isUntold } from './latest-scans.js';
import type { Outbox, OutboxMessage } from './outbox.js';
import type { PublishedAttendance, Publisher } from './publisher.js';
import { describeEntry, describeOutcome } from './scan-message.js';

export interface MqttPublisherOptions {
  readonly name: string;
  readonly broker: Broker;
  /** Topic: messages go to `scan` below it, the status to `status`. */
  readonly topic: string;
  /** Whether messages have the names of people. */
  readonly withNames: boolean;
  /** Prefix of Home Assistant's discovery; `undefined`: off. */
  readonly discoveryPrefix: string | undefined;
  /** Milliseconds to wait before an attempt to connect, which is counted from 1. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
}

export interface MqttPublisherDependencies {
  readonly attendance: PublishedAttendance;
  readonly clock: Clock;
  readonly outbox: Outbox;
}

/** How many messages are on their way to the broker at a time. */
const WINDOW = 32;
/** How long after the tap a message is late, in milliseconds. */
const LATE_MS = 10_000;
/** How long closing goes on delivering, in milliseconds. */
const LAST_DELIVERY_MS = 500;

/**
 * Publishes the outcome of each scan to an MQTT broker.
 *
 * ```
 * attendance.events -> ScanMessage -> Outbox (durable) -> `TOPIC/scan`, in order -> acknowledged -> removed
 * ```
 *
 * A message is removed when the broker has acknowledged it. If the acknowledgement is lost, with the connection or
 * with the process, the message comes again, with the same id.
 *
 * The opening publishes scans of the record that are later than the latest published one, because a power cut may
 * come between recording and publishing.
 */
export class MqttPublisher extends ManagedResource implements Publisher {
  readonly name: string;
  readonly faults: Subscribable<TallybookError>;
  readonly connections: Subscribable<DeviceConnection>;
  readonly #faults = new Emitter<TallybookError>();
  readonly #connections = new Emitter<DeviceConnection>();
  readonly #options: MqttPublisherOptions;
  readonly #attendance: PublishedAttendance;
  readonly #clock: Clock;
  readonly #outbox: Outbox;
  readonly #connection: MqttConnection;
  /** When those taps were whose outcome is not known yet, on the monotonic clock. */
  readonly #tappedMs = new WeakMap<Scan, number>();
  /** Scans of the record that were added since the opening. */
  readonly #caughtUp = new Set<string>();
  #subscription: Subscription | undefined;
  #catchingUp: Promise<void> = Promise.resolve();
  /** The latest message on its way into the outbox. */
  #adding: Promise<void> = Promise.resolve();
  #delivering: Promise<void> = Promise.resolve();
  #isDelivering = false;
  #told: DeviceConnection = 'waiting';
  /** Whether it was told that the broker does not let it hear of Home Assistant. */
  #isRefusalTold = false;

  constructor(options: MqttPublisherOptions, { attendance, clock, outbox }: MqttPublisherDependencies) {
    super();
    const { name, broker, topic, discoveryPrefix, retryDelayMs } = options;
    this.name = name;
    this.faults = this.#faults;
    this.connections = this.#connections;
    this.#options = options;
    this.#attendance = attendance;
    this.#clock = clock;
    this.#outbox = outbox;
    outbox.faults.subscribe((fault) => this.#faults.emit(fault));
    this.#connection = new MqttConnection({
      broker,
      clock,
      purpose: `publisher ${name}`,
      faultCode: 'OUTPUT_FAILED',
      statusTopic: `${topic}/status`,
      filters: discoveryPrefix === undefined ? [] : [`${discoveryPrefix}/status`],
      onMessage: ({ payload }) => {
        // Home Assistant says so when it has started. Not awaited: nothing else is received before this returns.
        if (payload.toString() === 'online') void this.#announce();
      },
      onRefused: (fault) => {
        if (!this.#isRefusalTold) this.#faults.emit(fault);
        this.#isRefusalTold = true;
      },
      onConnected: () => {
        this.#tell('connected');
        void this.#announce();
        this.#deliver();
      },
      onWaiting: (fault) => {
        if (fault !== undefined) this.#faults.emit(fault);
        this.#tell('waiting');
      },
      retryDelayMs,
    });
  }

  get connection(): DeviceConnection {
    return this.#told;
  }

  get waiting(): number {
    return this.#outbox.size;
  }

  protected override async onOpen(): Promise<void> {
    await this.#outbox.open();
    this.#told = 'waiting';
    this.#isRefusalTold = false;
    this.#subscription = this.#attendance.events.subscribe((event) => this.#take(event));
    this.#caughtUp.clear();
    this.#adding = this.#catchingUp = this.#catchUp();
    try {
      await this.#connection.open();
    } catch (error) {
      await this.#stop();
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#adding;
    const limit = new AbortController();
    const pausing = pause(LAST_DELIVERY_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([this.#delivering, pausing]);
    limit.abort();
    await this.#connection.close();
    this.#told = 'waiting';
    await this.#delivering;
    await this.#outbox.close();
  }

  #tell(connection: DeviceConnection): void {
    if (connection !== this.#told) this.#connections.emit(connection);
    this.#told = connection;
  }

  #take(event: AttendanceEvent): void {
    if (event.kind === 'scan') this.#tappedMs.set(event.scan, this.#clock.monotonicMs());
    const message = describeOutcome(event, this.#options.withNames);
    if (message === undefined || !('scan' in event)) return;
    const tappedMs = this.#tappedMs.get(event.scan);
    const { id, day, at } = event.scan;
    // After what the record tells, and not twice. The outbox keeps the order.
    this.#adding = this.#catchingUp.then(async () => {
      if (event.kind === 'attendance' && this.#caughtUp.has(keyOf(day, id, at))) return;
      await this.#outbox.add(message, tappedMs);
      this.#deliver();
    });
  }

  /** Adds scans of the record that are later than the latest published one. */
  async #catchUp(): Promise<void> {
    const { latest } = this.#outbox;
    if (latest === undefined) return;
    try {
      for (const day of await this.#attendance.listDays(latest.day, DAY_MAX)) {
        const record = await this.#attendance.loadDay(day);
        const untold = record?.entries.filter(({ id, last }) => isUntold(latest, { id, at: last })) ?? [];
        for (const { id, last } of untold) this.#caughtUp.add(keyOf(day, id, last));
        await Promise.all(untold.map((entry) => this.#outbox.add(describeEntry(day, entry), undefined)));
      }
    } catch (cause) {
      this.#faults.emit(
        new TallybookError(
          'OUTPUT_FAILED',
          'the record cannot be read; scans recorded just before a power cut may stay unpublished',
          { cause, details: { reason: 'record' } },
        ),
      );
    }
    this.#deliver();
  }

  #deliver(): void {
    if (!this.#isDelivering) this.#delivering = this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    this.#isDelivering = true;
    while (this.#connection.isConnected) {
      const batch = this.#outbox.first(WINDOW);
      const results = await Promise.allSettled(batch.map((message) => this.#publish(message)));
      const failed = results.findIndex(({ status }) => status === 'rejected');
      const delivered = failed === -1 ? batch : batch.slice(0, failed);
      const last = delivered.at(-1);
      if (last !== undefined) this.#outbox.removeThrough(last.sequence);
      // What failed is delivered when the broker is there again.
      if (delivered.length < batch.length || batch.length === 0) break;
    }
    this.#isDelivering = false;
  }

  #publish({ text, tappedMs }: OutboxMessage): Promise<void> {
    const isLate = tappedMs === undefined || this.#clock.monotonicMs() - tappedMs > LATE_MS;
    return this.#connection.publish(`${this.#options.topic}/scan`, `${text.slice(0, -1)},"late":${isLate}}`);
  }

  async #announce(): Promise<void> {
    const { discoveryPrefix, topic } = this.#options;
    if (discoveryPrefix === undefined) return;
    const discoveries = describeToHomeAssistant(discoveryPrefix, topic);
    // If the broker is lost meanwhile, they are published when it is there again.
    await Promise.allSettled(
      discoveries.map((each) => this.#connection.publish(each.topic, each.payload, { retain: true })),
    );
  }
}

function keyOf(day: Day, id: TallyId, at: Timestamp): string {
  return `${day} ${id} ${at}`;
}
