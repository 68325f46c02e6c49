import { matchesTopic, MqttConnection, type Broker, type BrokerMessage } from '@tallybook/devices';
import { createReading, TallybookError, type Clock, type Reading, type TallyId } from '@tallybook/domain';
import { ObservableIdSource } from '../observable-id-source.js';
import type { ReconnectingOptions } from '../reconnecting-id-source.js';
import { patiently } from '../patiently.js';
import { invalidMessage, saysNoTag, type PayloadReader, type ReadTag } from './message-texts.js';
import { createJsonReader, type JsonPayload } from './json-payload.js';
import { payloadReaders, type PayloadName } from './mqtt-payloads.js';

/** Longer than the longest telemetry, and short enough to be searched quickly. */
const LONGEST_MESSAGE = 65_536;
/** Signs of more than an id. */
const MORE_THAN_ID = /[,;|{[]/;

export interface MqttReaderOptions extends Pick<ReconnectingOptions, 'format' | 'retryDelayMs'> {
  readonly broker: Broker;
  /** Topic of the reader, with the wildcards `+` and `#` of MQTT. */
  readonly topic: string;
  /** Default: `mqtt:` and the topic. */
  readonly name?: string | undefined;
  /** Form of its messages: a kind, or where the tag is in JSON. Default: `plain`. */
  readonly payload?: PayloadName | JsonPayload | undefined;
  /** Topic where the reader publishes `online` or `offline`, in upper or lower case. Default: none. */
  readonly availabilityTopic?: string | undefined;
  /**
   * Whether the reader is only tried: it does not take the messages that the broker keeps for the service, and leaves
   * nothing on the broker. Default: no.
   */
  readonly isTrial?: boolean | undefined;
}

/**
 * A remote reader that publishes its readings to an MQTT broker. If messages name the device that read a tag, the
 * reader of these readings is `NAME/DEVICE`.
 *
 * The broker keeps messages of quality of service 1 while this client is away. Each message is acknowledged when its
 * scan is recorded, or is in the backlog while the store cannot write: {@link Reading.waitUntil}. Retained messages are
 * not taps. The time of a tap is its arrival.
 *
 * The source is connected while the broker is connected and the reader has not published `offline`.
 */
export class MqttIdSource extends ObservableIdSource {
  override readonly kind = 'mqtt';
  readonly #connection: MqttConnection;
  readonly #topic: string;
  readonly #readPayload: PayloadReader;
  readonly #availabilityTopic: string | undefined;
  #isBrokerThere = false;
  #isReaderThere = true;
  /** Work on the present message. */
  #work: Promise<unknown>[] = [];
  /** Device that read the present tag, if messages name it. */
  #place: string | undefined;

  /** @throws {TallybookError} `INVALID_OPTION` if the name is not 1 to 100 characters, or a path is invalid. */
  constructor(options: MqttReaderOptions, clock: Clock) {
    const { broker, topic, name = `mqtt:${topic}`, payload = 'plain', availabilityTopic } = options;
    super(name, clock, options.format);
    this.#topic = topic;
    this.#readPayload = typeof payload === 'string' ? payloadReaders[payload] : createJsonReader(payload);
    this.#availabilityTopic = availabilityTopic;
    this.#connection = new MqttConnection({
      broker,
      clock,
      // Not the name: after a change of the name, the broker would keep messages for the old name, and deliver them if
      // the name came back.
      purpose: `reader ${topic}`,
      isTemporary: options.isTrial,
      faultCode: 'READER_DISCONNECTED',
      filters: availabilityTopic === undefined ? [topic] : [topic, availabilityTopic],
      onMessage: (message) => this.#take(message),
      onConnected: () => {
        this.#isBrokerThere = true;
        this.#updateConnection();
      },
      onWaiting: (fault) => {
        this.#isBrokerThere = false;
        if (fault !== undefined) this.report(fault);
        this.#updateConnection();
      },
      retryDelayMs: options.retryDelayMs,
    });
  }

  protected override async onOpen(): Promise<void> {
    this.#isReaderThere = true;
    await this.#connection.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#connection.close();
    this.#isBrokerThere = false;
    this.#updateConnection();
  }

  protected override stamp(id: TallyId): Reading {
    const work = this.#work;
    const reader = this.#place === undefined ? this.name : `${this.name}/${this.#place}`;
    return { ...createReading(this.clock, reader, id), waitUntil: (each) => void work.push(each) };
  }

  async #take({ topic, payload, isRetained }: BrokerMessage): Promise<void> {
    if (topic === this.#availabilityTopic) this.#hearOf(payload.toString());
    // The session may still have a subscription to an earlier topic of this reader.
    else if (!isRetained && matchesTopic(this.#topic, topic)) await this.#read(payload.toString().trim());
  }

  async #read(payload: string): Promise<void> {
    if (payload === '' || saysNoTag(payload)) return;
    if (payload.length > LONGEST_MESSAGE) {
      this.report(invalidMessage(`a message has at most ${LONGEST_MESSAGE} characters`, payload));
      return;
    }
    const work: Promise<unknown>[] = [];
    this.#work = work;
    for (const tag of this.#readPayload(payload)) this.#deliver(tag);
    if (work.length === 0) return;
    const results = await patiently(this.clock, Promise.allSettled(work), []);
    const lost = results.find(({ status }) => status === 'rejected');
    if (lost !== undefined) throw new Error('a tap could not be kept', { cause: lost });
  }

  #deliver(tag: ReadTag): void {
    this.#place = 'text' in tag ? tag.place : undefined;
    if ('fault' in tag) this.report(tag.fault);
    else if ('text' in tag) this.#deliverText(tag.text);
    else if (tag.isUid) this.deliverUid(tag.bytes);
    else this.deliverBytes(tag.bytes);
  }

  #deliverText(text: string): void {
    const id = this.read(
      () => this.format.fromText(text),
      (error) => {
        const advice = '; if the message has more than the id, set format=csv or format=json, and field';
        this.report(MORE_THAN_ID.test(text) ? new TallybookError(error.code, error.message + advice) : error);
      },
    );
    if (id !== undefined) this.deliver(id);
  }

  #hearOf(availability: string): void {
    const isThere = availability.trim().toLowerCase() !== 'offline';
    if (isThere === this.#isReaderThere) return;
    this.#isReaderThere = isThere;
    if (!isThere) {
      const message = `the reader is offline, says the topic ${String(this.#availabilityTopic)}; check its power and its network`;
      this.report(new TallybookError('READER_DISCONNECTED', message, { details: { reason: 'offline' } }));
    }
    this.#updateConnection();
  }

  #updateConnection(): void {
    this.setConnection(this.#isBrokerThere && this.#isReaderThere ? 'connected' : 'waiting');
  }
}
