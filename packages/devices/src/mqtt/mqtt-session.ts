import type { TallybookError } from '@tallybook/domain';
import type { MqttClient } from 'mqtt';
import type { PublishOptions } from './publish-options.js';

/** A client that is connected, until it is lost. */
export class MqttSession {
  readonly client: MqttClient;
  /** Resolves with the fault when the connection is lost. */
  readonly lost: Promise<TallybookError>;
  /** `undefined` if the broker keeps no status. */
  readonly #statusTopic: string | undefined;

  constructor(client: MqttClient, statusTopic: string | undefined, lost: Promise<TallybookError>) {
    this.client = client;
    this.#statusTopic = statusTopic;
    this.lost = lost;
  }

  async publish(
    topic: string,
    payload: string | Buffer,
    { qos = 1, retain = false }: PublishOptions,
  ): Promise<void> {
    const sent = this.client.publishAsync(topic, payload, { qos, retain });
    // The library does not report that the connection was lost before the acknowledgement.
    const loss = await Promise.race([sent.then(() => undefined), this.lost]);
    if (loss !== undefined) throw loss;
  }

  async sayStatus(status: 'online' | 'offline'): Promise<void> {
    if (this.#statusTopic !== undefined) await this.publish(this.#statusTopic, status, { retain: true });
  }

  /** Disconnects properly, so that the broker need not detect the loss and publish the last will. */
  async sayFarewell(): Promise<void> {
    await this.sayStatus('offline');
    await this.client.endAsync();
  }
}
