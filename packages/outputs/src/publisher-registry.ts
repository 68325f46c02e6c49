import {
  BROKER_LOGIN,
  BROKER_PARAMETERS,
  brokerClientOf,
  DeviceRegistry,
  registrationsOf,
  type Publisher,
  type PublisherDependencies,
  type PublisherRegistration,
} from '@tallybook/devices';
import { MqttPublisher } from './mqtt/mqtt-publisher.js';
import { readMqttPublisherUrl } from './mqtt/mqtt-urls.js';
import { WebhookPublisher } from './webhook/webhook-publisher.js';
import { readWebhookUrl } from './webhook/webhook-url.js';

const MQTT_PARAMETERS = `names=no&discovery=homeassistant&${BROKER_PARAMETERS}`;
const mqtt: Pick<PublisherRegistration, 'login' | 'brokerClient' | 'make'> = {
  login: BROKER_LOGIN,
  brokerClient: (url) => brokerClientOf(url),
  make: (url, dependencies) => new MqttPublisher(readMqttPublisherUrl(url), dependencies),
};

const WEBHOOK_PARAMETERS = 'secret-file=FILE&names=no&redirects=refused';
const webhook: Pick<PublisherRegistration, 'login' | 'make'> = {
  login:
    'a webhook has no login: its receiver knows a request by the signature, with the secret in secret-file=FILE',
  make: (url, dependencies) => new WebhookPublisher(readWebhookUrl(url), dependencies),
};

/** Publishers by the scheme of their URL. A new one is one more entry. */
export const publishers: readonly PublisherRegistration[] = registrationsOf('publisher', {
  mqtt: { ...mqtt, usage: `mqtt://HOST/TOPIC?${MQTT_PARAMETERS}` },
  mqtts: { ...mqtt, usage: `mqtts://HOST/TOPIC?${MQTT_PARAMETERS}&ca=FILE` },
  https: { ...webhook, usage: `https://HOST/PATH?${WEBHOOK_PARAMETERS}&ca=FILE` },
  http: { ...webhook, usage: `http://localhost/PATH?${WEBHOOK_PARAMETERS}` },
});

const registry = new DeviceRegistry<Publisher, PublisherDependencies>('publisher', publishers);

/** Form of the URL of each kind of publisher, by scheme, for help texts. Each also takes `name=`. */
export const publisherSchemes: Readonly<Record<string, string>> = registry.usages;

/**
 * Makes the publisher of a URL, for example `mqtt://broker.local/attendance?name=home`, or
 * `https://example.org/taps?secret-file=/etc/tallybook/webhook`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL names no publisher. The message says what is allowed. If a
 * parameter is wrong, `details.parameter` names it.
 */
export function createPublisher(url: string, dependencies: PublisherDependencies): Publisher {
  return registry.create(url, dependencies);
}
