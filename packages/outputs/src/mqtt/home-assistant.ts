import { toAsciiJson } from '@tallybook/devices';

/** A retained message that describes a device or a sensor to Home Assistant. */
export interface Discovery {
  readonly topic: string;
  readonly payload: string;
}

/**
 * Late and failed scans do not count as scanned tags: an automation must not open a door an hour after a tap. For them
 * the text is empty, and Home Assistant ignores an empty text.
 */
const TAG_TEMPLATE = "{{ value_json.id if not value_json.late and value_json.outcome != 'failed' else '' }}";

/**
 * The retained messages of Home Assistant's MQTT discovery: a tag scanner, and a sensor of the connection of the
 * service.
 *
 * @see https://www.home-assistant.io/integrations/tag.mqtt and
 * https://www.home-assistant.io/integrations/binary_sensor.mqtt
 */
export function describeToHomeAssistant(prefix: string, topic: string): readonly Discovery[] {
  // Only characters that a discovery topic may have.
  const id = `tallybook_${topic.replace(/[^A-Za-z0-9_-]/g, '_')}`;
  const device = { identifiers: [id], name: `Tallybook ${topic}`, manufacturer: 'Tallybook' };
  const scanner = { topic: `${topic}/scan`, value_template: TAG_TEMPLATE, device };
  const connection = {
    name: 'Connection',
    unique_id: `${id}_connection`,
    state_topic: `${topic}/status`,
    payload_on: 'online',
    payload_off: 'offline',
    device_class: 'connectivity',
    entity_category: 'diagnostic',
    device,
  };
  return [
    { topic: `${prefix}/tag/${id}/config`, payload: toAsciiJson(scanner) },
    { topic: `${prefix}/binary_sensor/${id}/config`, payload: toAsciiJson(connection) },
  ];
}
