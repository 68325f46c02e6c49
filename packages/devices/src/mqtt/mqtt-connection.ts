import { Socket } from 'node:net';
import {
  isTallybookError,
  ManagedResource,
  TallybookError,
  type Clock,
  type Subscription,
} from '@tallybook/domain';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { Reconnection, type DeviceSession } from '../reconnection.js';
import {
  createConnectFault,
  createLossFault,
  createSubscribeFault,
  type BrokerFaultCode,
} from './broker-fault.js';
import type { Broker, PublishOptions } from './broker.js';
import { CONNECT_TIMEOUT_MS, createClient, loadMqtt, MqttSession } from './create-client.js';
import { Redeliveries } from './redeliveries.js';
import { within } from '../waiting.js';

/** Longest time, in milliseconds, that closing waits for the handling of a message. */
const HANDLING_MS = 2_000;
/** Longest time, in milliseconds, that closing waits for the broker: a silent broker must not delay the rest. */
const FAREWELL_MS = 300;
/** A restart of a broker is one loss. A second loss within this time suggests another client with the same id. */
const FREQUENT_LOSS_MS = 60_000;

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Buffer;
  /** Whether it is a retained message from before the subscription. */
  readonly isRetained: boolean;
}

export interface MqttConnectionOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  /** Purpose of the connection, such as "reader door": unique for each connection of a device to a broker. */
  readonly purpose: string;
  /** Code of its faults. */
  readonly faultCode: BrokerFaultCode;
  /** Topic of the status: `online` while connected, else `offline`. Default: see {@link MqttConnection}. */
  readonly statusTopic?: string | undefined;
  /**
   * Whether the connection leaves nothing on the broker: neither a session nor a status. Its client id is new each
   * time. Default: no.
   */
  readonly isTemporary?: boolean | undefined;
  /** Topic filters to subscribe to, with quality of service 1. Default: none. */
  readonly filters?: readonly string[] | undefined;
  /**
   * Called with one message at a time. A message is acknowledged when the returned promise resolves; only then the next
   * one is handed over. If the promise rejects, the broker sends the message again, on another connection.
   */
  readonly onMessage?: ((message: BrokerMessage) => Promise<void> | void) | undefined;
  /**
   * Called each time that the broker refuses the subscription; the connection goes on without the subscription.
   * Default: a refused subscription is a failed attempt.
   */
  readonly onRefused?: ((fault: TallybookError) => void) | undefined;
  /** Called each time that the broker is connected and the subscriptions are made. */
  readonly onConnected: () => void;
  /** Called when an attempt failed or the broker was lost. `undefined` if the fault was reported before. */
  readonly onWaiting: (fault: TallybookError | undefined) => void;
  /** Milliseconds to wait before an attempt, by its number from 1. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
  /**
   * Milliseconds that the broker must stay connected before earlier losses are forgotten. Default: see {@link
   * Reconnection}.
   */
  readonly steadyMs?: number | undefined;
  /** Environment with user and password, if there is no file of credentials. Default: the one of the process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/**
 * A connection to an MQTT broker (3.1.1) that is made again whenever it is lost.
 *
 * ```
 * broker -> filters -> onMessage -> done -> acknowledgement
 * publish -> broker -> acknowledgement -> resolved, or rejected when the connection is lost meanwhile
 * ```
 *
 * The broker keeps the session: messages of quality of service 1 that come while this client is away are delivered
 * later. Each message is handed over once, even if its acknowledgement was lost. Only if the process ends between
 * handling and acknowledging, the next process gets the message again.
 *
 * The status is `online` or `offline`, retained, at `tallybook/CLIENT-ID/status`. The broker itself publishes
 * `offline` when the connection breaks (last will).
 *
 * `open()` does not wait for the broker. It rejects with `INVALID_OPTION` only if the package `mqtt` cannot be
 * loaded.
 */
export class MqttConnection extends ManagedResource {
  readonly #options: MqttConnectionOptions;
  readonly #reconnection: Reconnection;
  readonly #redeliveries = new Redeliveries();
  #session: MqttSession | undefined;
  #stopping = new AbortController();
  #handling: Promise<void> = Promise.resolve();
  #isHandling = false;
  /** Time of the last loss of the broker, on the monotonic clock. */
  #lostMs = -Infinity;

  constructor(options: MqttConnectionOptions) {
    super();
    this.#options = options;
    this.#reconnection = new Reconnection({
      connect: () => this.#connect(this.#stopping.signal),
      onConnected: () => {
        if (!this.#stopping.signal.aborted) options.onConnected();
      },
      onWaiting: (fault) => {
        if (!this.#stopping.signal.aborted) options.onWaiting(fault);
      },
      retryDelayMs: options.retryDelayMs,
      steadyMs: options.steadyMs,
    });
  }

  get isConnected(): boolean {
    return this.#session !== undefined;
  }

  /**
   * Publishes a message now. Nothing is queued for later.
   *
   * Rejects with `NOT_OPEN`. Rejects with the fault code if the broker is not connected, or is lost before it
   * acknowledges the message; in the second case the broker may have the message or not.
   */
  async publish(topic: string, payload: string | Buffer, options: PublishOptions = {}): Promise<void> {
    if (this.status !== 'open') throw this.notOpen();
    const session = this.#session;
    if (session === undefined) {
      const { broker, faultCode } = this.#options;
      const message = `there is no connection to the broker ${broker.host}:${broker.port}`;
      throw new TallybookError(faultCode, message, { details: { reason: 'missing' } });
    }
    await session.publish(topic, payload, options);
  }

  protected override async onOpen(): Promise<void> {
    await loadMqtt();
    this.#stopping = new AbortController();
    // Not awaited: `open()` waits for the first attempt, and a missing broker must not delay the start of the service.
    void this.#reconnection.open();
  }

  protected override async onClose(): Promise<void> {
    this.#stopping.abort();
    await this.#reconnection.close();
  }

  async #connect(signal: AbortSignal): Promise<DeviceSession> {
    const { broker, clock, faultCode, filters = [] } = this.#options;
    const { client, statusTopic } = await createClient(this.#options);
    this.#handleMessages(client);
    const closed = new Promise<Error>((resolve) => {
      client.on('error', (error) => {
        resolve(error);
        client.stream.destroy();
      });
      client.once('close', () => resolve(new Error('it closes the connection')));
    });
    const connected = new Promise<undefined>((resolve) => client.once('connect', () => resolve(undefined)));
    const lost = closed.then((cause) => {
      const isFrequent = this.#session === session && this.#noteLoss();
      return createLossFault(broker, faultCode, isFrequent, cause);
    });
    const session = new MqttSession(client, statusTopic, lost);
    try {
      client.connect();
    } catch (error) {
      // A file of `cert=` or `key=` holds no certificate, or no key.
      throw createConnectFault(broker, faultCode, error);
    }
    // Messages are small, and a person waits for some of them.
    if (client.stream instanceof Socket) client.stream.setNoDelay();
    // Messages come as soon as there is a session, so the handling of one may have begun already.
    const hangUp = async (): Promise<void> => {
      await within(HANDLING_MS, this.#handling);
      client.stream.destroy();
    };
    signal.addEventListener('abort', hangUp);
    if (signal.aborted) void hangUp();
    try {
      const failure = await Promise.race([connected, closed]);
      if (failure !== undefined) throw failure;
      this.#redeliveries.connected(clock.monotonicMs());
      if (filters.length > 0) await this.#unlessSilent(this.#subscribe(client, filters));
      await this.#unlessSilent(session.sayStatus('online'));
    } catch (error) {
      this.#letGo(client);
      throw isTallybookError(error) ? error : createConnectFault(broker, faultCode, error);
    } finally {
      signal.removeEventListener('abort', hangUp);
    }
    this.#session = session;
    return {
      lost: lost.finally(() => this.#forget(session)),
      end: async () => {
        this.#forget(session);
        if (client.connected) {
          await within(HANDLING_MS, this.#handling);
          await within(FAREWELL_MS, session.sayFarewell());
        }
        this.#letGo(client);
      },
    };
  }

  /**
   * The acknowledgement of a message goes out when `done` is called. If it is never called, the broker keeps the
   * message.
   */
  #handleMessages(client: MqttClient): void {
    client.handleMessage = (packet, done) => {
      this.#isHandling = true;
      this.#handling = this.#take(packet).then(
        () => {
          this.#isHandling = false;
          done();
        },
        () => {
          this.#isHandling = false;
          client.stream.destroy();
        },
      );
    };
  }

  async #take({ topic, payload, qos, dup, retain, messageId = 0 }: IPublishPacket): Promise<void> {
    const { clock, onMessage } = this.#options;
    // A message that comes during closing stays at the broker, for the next connection.
    if (this.#stopping.signal.aborted) throw this.notOpen();
    const message = { topic, payload: Buffer.from(payload), isRetained: retain };
    const delivery = { ...message, packetId: messageId, isRepeated: dup };
    const nowMs = clock.monotonicMs();
    const known = qos === 0 ? undefined : this.#redeliveries.find(delivery, nowMs);
    if (known !== undefined) return known;
    const handling = Promise.resolve(onMessage?.(message));
    if (qos !== 0) this.#redeliveries.note(delivery, handling, nowMs);
    return handling;
  }

  async #subscribe(client: MqttClient, filters: readonly string[]): Promise<void> {
    try {
      await client.subscribeAsync([...filters], { qos: 1 });
    } catch (error) {
      // The error of a refusal has the packet of the broker. Without a packet, the connection was lost meanwhile.
      if (!hasPacket(error)) throw error;
      const { broker, faultCode, onRefused } = this.#options;
      const fault = createSubscribeFault(broker, faultCode, filters, error);
      if (onRefused === undefined) throw fault;
      onRefused(fault);
    }
  }

  /**
   * Waits for an answer of the broker. Rejects after {@link CONNECT_TIMEOUT_MS} without an answer or a message that is
   * being handled.
   */
  async #unlessSilent(answer: Promise<void>): Promise<void> {
    const { clock } = this.#options;
    let patience: Subscription | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      const wait = (): void => {
        patience = clock.schedule(CONNECT_TIMEOUT_MS, () => {
          // Kept messages of the broker may come before its answer. The answer is read only after they are handled.
          if (this.#isHandling) wait();
          else reject(new Error(`it says nothing for ${CONNECT_TIMEOUT_MS / 1_000} s`));
        });
      };
      wait();
    });
    try {
      await Promise.race([answer, silence]);
    } finally {
      patience?.unsubscribe();
    }
  }

  /** Records a loss. Returns whether there was another one shortly before. */
  #noteLoss(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    const isFrequent = nowMs - this.#lostMs <= FREQUENT_LOSS_MS;
    this.#lostMs = nowMs;
    return isFrequent;
  }

  #forget(session: MqttSession): void {
    if (this.#session === session) this.#session = undefined;
  }

  /** A client does not connect again by itself, so it ends with its stream. */
  #letGo(client: MqttClient): void {
    this.#redeliveries.lost(this.#options.clock.monotonicMs());
    client.stream.destroy();
  }
}

function hasPacket(error: unknown): boolean {
  return error instanceof Error && 'packet' in error && error.packet !== undefined;
}
