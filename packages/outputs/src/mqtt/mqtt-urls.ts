import {
  checkTopic,
  readBroker,
  checkName,
  readTopic,
  type DeviceUrl,
  invalidOption,
} from '@tallybook/devices';
import { quote } from '@tallybook/domain';
import type { MqttIndicatorOptions } from './mqtt-indicator.js';
import type { MqttPublisherOptions } from './mqtt-publisher.js';

/** Words that look like a switch. Home Assistant subscribes to no such prefix. */
const SWITCH = /^(?:no|none|false|yes|true|on)$/i;

/** Reads the URL of an indicator behind a broker. */
export function readMqttIndicatorUrl(url: DeviceUrl): MqttIndicatorOptions {
  return {
    broker: readBroker(url),
    topic: checkTopic('path', readTopic(url)),
    name: url.text('name'),
    reader: url.text('reader'),
  };
}

/** Reads the URL of a publisher to a broker. */
export function readMqttPublisherUrl(url: DeviceUrl): MqttPublisherOptions {
  const topic = checkTopic('the path', readTopic(url));
  return {
    name: checkName(url.text('name') ?? `mqtt:${topic}`),
    broker: readBroker(url),
    topic,
    withNames: url.choice('names', ['no', 'yes']) === 'yes',
    discoveryPrefix: readDiscovery(url),
  };
}

/** The prefix of Home Assistant's discovery; `undefined` if it is off. */
function readDiscovery(url: DeviceUrl): string | undefined {
  const prefix = url.text('discovery') ?? 'homeassistant';
  if (prefix === 'off') return undefined;
  if (!SWITCH.test(prefix)) return checkTopic('discovery', prefix);
  throw invalidOption(
    `discovery is off, or a prefix such as homeassistant; got ${quote(prefix)}`,
    'discovery',
  );
}
