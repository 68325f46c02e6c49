import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { TallybookError } from '@tallybook/domain';
import type * as Mqtt from 'mqtt';
import type { IClientOptions, MqttClient } from 'mqtt';
import { readAccess, type Broker, type PublishOptions } from './broker.js';
import { loadOptional } from '../load-optional.js';
import { createConnectFault, type BrokerFaultCode } from './broker-fault.js';

/**
 * Makes a client id of the machine, the broker and the purpose of the connection. It is the same after every start.
 * Devices of one image have the same host name, so the machine id is part of it too. The machine id is a secret
 * (machine-id(5)), so only a hash of it is sent. The client id has 22 characters, because brokers may refuse more than
 * 23.
 */
export async function createDefaultClientId({ host, port }: Broker, purpose: string): Promise<string> {
  const machineId = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const whole = JSON.stringify([hostname(), machineId.trim(), host, port, purpose]);
  return `tallybook-${createHash('sha256').update(whole).digest('hex').slice(0, 12)}`;
}

/** Longest time that a broker may take for each answer while the connection is made. */
export const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Seconds of silence after which the client pings the broker. Without an answer, the broker is lost after one and a
 * half times as long.
 */
const KEEPALIVE_S = 30;

/** As in `MqttConnectionOptions`. */
export interface ClientPlan {
  readonly broker: Broker;
  readonly purpose: string;
  readonly faultCode: BrokerFaultCode;
  readonly statusTopic?: string | undefined;
  readonly isTemporary?: boolean | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** A client for one connection, which it has not made yet. */
export interface CreatedClient {
  readonly client: MqttClient;
  /** Topic of its status; `undefined` if the broker keeps no status. */
  readonly statusTopic: string | undefined;
}

/** Creates a client. Rejects with the fault code if a file of credentials or certificates cannot be used. */
export async function createClient(plan: ClientPlan): Promise<CreatedClient> {
  const { broker, faultCode, purpose, isTemporary = false, env = process.env } = plan;
  const { connect } = await loadMqtt();
  const clientId = isTemporary
    ? `tallybook-${randomBytes(6).toString('hex')}`
    : (broker.clientId ?? (await createDefaultClientId(broker, purpose)));
  const statusTopic = isTemporary ? undefined : (plan.statusTopic ?? `tallybook/${clientId}/status`);
  const access = await readAccess(broker, env).catch((error: unknown) => {
    throw createConnectFault(broker, faultCode, error);
  });
  const options: IClientOptions = {
    ...access,
    protocol: broker.isSecure ? 'mqtts' : 'mqtt',
    host: broker.host,
    port: broker.port,
    clientId,
    clean: isTemporary,
    ...(statusTopic !== undefined && {
      will: { topic: statusTopic, payload: Buffer.from('offline'), qos: 1, retain: true },
    }),
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A client is for one connection. If the library reconnected, it would wait equally long each time, and queue messages.
    reconnectPeriod: 0,
    manualConnect: true,
  };
  return { client: connect(options), statusTopic };
}

/** Loads the library only when it is needed: loading takes a noticeable time, and most devices have no broker. */
export async function loadMqtt(): Promise<typeof Mqtt> {
  return loadOptional('an MQTT broker', 'mqtt@5', () => import('mqtt'));
}

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
