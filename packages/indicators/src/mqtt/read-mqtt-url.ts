import { checkTopic, readBroker, readTopic, type DeviceUrl } from '@tallybook/devices';
import type { MqttIndicatorOptions } from './mqtt-indicator.js';

/** Reads the URL of an indicator behind a broker. */
export function readMqttUrl(url: DeviceUrl): MqttIndicatorOptions {
  return {
    broker: readBroker(url),
    topic: checkTopic('path', readTopic(url)),
    name: url.text('name'),
    reader: url.text('reader'),
  };
}
