import { randomBytes } from 'node:crypto';
import type * as Mqtt from 'mqtt';
import type { IClientOptions, MqttClient } from 'mqtt';
import { loadOptional } from '../load-optional.js';
import { createConnectFault, type BrokerFaultCode } from './broker-fault.js';
import type { Broker } from './broker.js';
import { createDefaultClientId } from './default-client-id.js';
import { readAccess } from './read-access.js';

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
