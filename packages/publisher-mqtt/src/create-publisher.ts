import {
  BROKER_LOGIN,
  BROKER_PARAMETERS,
  checkTopic,
  DeviceRegistry,
  readBroker,
  readPublisherName,
  readTopic,
  type DeviceKind,
  type DeviceUrl,
  type Publisher,
  type PublisherDependencies,
} from '@tallybook/devices';
import { quote, TallybookError } from '@tallybook/domain';
import { MqttPublisher } from './mqtt-publisher.js';

const PARAMETERS = `names=no&discovery=homeassistant&${BROKER_PARAMETERS}`;

/** Words that look like a switch. Home Assistant subscribes to no such prefix. */
const SWITCH = /^(?:no|none|false|yes|true|on)$/i;

/** The kinds of publishers by the scheme of their URL. Each also takes `name=`. */
export const publisherKinds: Readonly<Record<string, DeviceKind<Publisher, PublisherDependencies>>> = {
  mqtt: { usage: `mqtt://HOST/TOPIC?${PARAMETERS}`, login: BROKER_LOGIN, create: createMqttPublisher },
  mqtts: {
    usage: `mqtts://HOST/TOPIC?${PARAMETERS}&ca=FILE`,
    login: BROKER_LOGIN,
    create: createMqttPublisher,
  },
};

const registry = new DeviceRegistry<Publisher, PublisherDependencies>('publisher', publisherKinds);

/**
 * Makes the publisher of a URL, for example `mqtt://broker.local/attendance?name=home`. It is not opened.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the URL names no publisher. The message says what is allowed. If a
 * parameter is wrong, `details.parameter` names it.
 */
export function createPublisher(url: string, dependencies: PublisherDependencies): Publisher {
  return registry.create(url, dependencies);
}

function createMqttPublisher(url: DeviceUrl, dependencies: PublisherDependencies): Publisher {
  url.refuseFormer(
    'outbox',
    'leave it out: waiting changes are in the journal of the store; --journal-limit and --journal-days limit the journal',
  );
  const topic = checkTopic('the path', readTopic(url));
  const options = {
    name: readPublisherName(url, `mqtt:${topic}`),
    broker: readBroker(url),
    topic,
    withNames: url.choice('names', ['no', 'yes']) === 'yes',
    discoveryPrefix: readDiscovery(url),
  };
  return new MqttPublisher(options, dependencies);
}

/** The prefix of Home Assistant's discovery; `undefined` if it is off. */
function readDiscovery(url: DeviceUrl): string | undefined {
  const prefix = url.text('discovery') ?? 'homeassistant';
  if (prefix === 'off') return undefined;
  if (!SWITCH.test(prefix)) return checkTopic('discovery', prefix);
  throw new TallybookError(
    'INVALID_OPTION',
    `discovery is off, or a prefix such as homeassistant; got ${quote(prefix)}`,
    { details: { parameter: 'discovery' } },
  );
}
