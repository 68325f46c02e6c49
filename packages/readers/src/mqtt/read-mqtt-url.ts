import {
  checkTopic,
  checkTopicFilter,
  readBroker,
  readTopic,
  type DeviceUrl,
  invalidOption,
} from '@tallybook/devices';
import { readFormat } from '../formats/id-format.js';
import type { JsonPayload } from './json-payload.js';
import type { MqttReaderOptions } from './mqtt-id-source.js';
import { payloadNames, type PayloadName } from './mqtt-payloads.js';

/** Reads the URL of a reader behind a broker. Here `format=` is about messages, and `spelling=` about ids. */
export function readMqttUrl(url: DeviceUrl): MqttReaderOptions {
  const availabilityTopic = url.text('availability');
  return {
    broker: readBroker(url),
    topic: checkTopicFilter('path', readTopic(url)),
    name: url.text('name'),
    payload: readPayload(url),
    availabilityTopic:
      availabilityTopic === undefined ? undefined : checkTopic('availability', availabilityTopic),
    format: readFormat(url, { parameter: 'spelling', delivers: 'text' }),
  };
}

function readPayload(url: DeviceUrl): PayloadName | JsonPayload | undefined {
  const name = url.choice('format', [...payloadNames, 'json', 'csv']);
  if (name !== 'json' && name !== 'csv') return name;
  const field = url.text('field');
  if (field === undefined) {
    throw invalidOption(`format=${name} needs field=, the field with the id`, 'field');
  }
  return {
    field,
    syntax: name,
    where: url.text('where'),
    prefix: url.text('prefix'),
    readerField: url.text('reader-field'),
  };
}
