import { MqttConnection, type Broker } from '@tallybook/devices';
import type { Clock, Indication } from '@tallybook/domain';
import { BaseIndicator, type Display } from '../device-indicator.js';

/** If a message waits for its acknowledgement longer than this, the next one would come too late for the person. */
const STALE_MS = 1_000;

export interface MqttIndicatorOptions {
  readonly broker: Broker;
  /** Topic of the messages. */
  readonly topic: string;
  /** Default: `mqtt:` and the topic. */
  readonly name?: string | undefined;
  /** Name of the reader whose taps it shows. Default: it shows the taps at all readers. */
  readonly reader?: string | undefined;
  /** Milliseconds to wait before an attempt to connect, which is counted from 1. */
  readonly retryDelayMs?: ((attempt: number) => number) | undefined;
}

/**
 * Publishes the outcome of a tap for a light or a display at the door: `{"signal":"counted","reader":"door"}`, and
 * `{"signal":"started"}` at the first connection after the opening. Messages have neither a name nor an id, because
 * many clients can read a topic.
 *
 * Messages have quality of service 1, and are not retained. A message that cannot be delivered at once is dropped.
 */
export class MqttIndicator extends BaseIndicator {
  readonly #topic: string;
  readonly #clock: Clock;
  readonly #connection: MqttConnection;
  /** Messages that the broker has not acknowledged, the earliest first. */
  readonly #sent = new Set<{ readonly atMs: number }>();

  constructor(
    { broker, topic, name = `mqtt:${topic}`, reader, retryDelayMs }: MqttIndicatorOptions,
    clock: Clock,
  ) {
    super({ name, reader });
    this.#topic = topic;
    this.#clock = clock;
    this.#connection = new MqttConnection({
      broker,
      clock,
      purpose: `indicator ${name}`,
      faultCode: 'OUTPUT_FAILED',
      onConnected: () => this.connected(),
      onWaiting: (fault) => this.disconnected(fault),
      retryDelayMs,
    });
  }

  protected override display(display: Display, indication?: Indication): void {
    const atMs = this.#clock.monotonicMs();
    const [earliest] = this.#sent;
    if (earliest !== undefined && atMs - earliest.atMs > STALE_MS) return;
    void this.#publish(JSON.stringify({ signal: display, reader: indication?.reader }), { atMs });
  }

  protected override async onOpen(): Promise<void> {
    this.begin();
    await this.#connection.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#connection.close();
    this.disconnected();
  }

  async #publish(payload: string, sent: { readonly atMs: number }): Promise<void> {
    this.#sent.add(sent);
    try {
      await this.#connection.publish(this.#topic, payload);
    } catch {
      // The broker is not there. The connection has reported that already.
    } finally {
      this.#sent.delete(sent);
    }
  }
}
