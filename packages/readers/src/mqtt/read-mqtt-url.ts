import { checkTopic, checkTopicFilter, readBroker, readTopic, type DeviceUrl } from '@tallybook/devices';
import { readFormat } from '../formats/id-format.js';
import type { MqttReaderOptions } from './mqtt-id-source.js';
import { payloadNames } from './mqtt-payloads.js';

/** Reads the URL of a reader behind a broker. Here `format=` is about messages, and `spelling=` about ids. */
export function readMqttUrl(url: DeviceUrl): MqttReaderOptions {
  const availabilityTopic = url.text('availability');
  return {
    broker: readBroker(url),
    topic: checkTopicFilter('path', readTopic(url)),
    name: url.text('name'),
    payload: url.choice('format', payloadNames),
    availabilityTopic:
      availabilityTopic === undefined ? undefined : checkTopic('availability', availabilityTopic),
    format: readFormat(url, { parameter: 'spelling', delivers: 'text' }),
  };
}
