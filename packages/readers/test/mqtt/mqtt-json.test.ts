import { isTallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { createReader, MqttIdSource } from '../../src/index.js';

const clock = new ManualClock();

/** Messages from the documentation of esp-rfid. It sends the last one when a command opens a door. */
const ESP_RFID = {
  access:
    '{"type":"access","time":1605991375,"isKnown":"true","access":"Always","username":"Ada","uid":"4a2b3c4d","hostname":"front"}',
  unknown:
    '{"type":"access","time":1605991375,"isKnown":"false","access":"Denied","username":"Unknown","uid":"6547886","hostname":"back"}',
  heartbeat: '{"type":"heartbeat","time":1605991375,"uptime":999,"ip":"192.168.1.5","hostname":"front"}',
  warning:
    '{"type":"WARN","src":"rfid","desc":"Unknown rfid tag is scanned","data":"","time":1605991375,"cmd":"event","hostname":"front"}',
  command:
    '{"type":"access","time":1605991375,"isKnown":"true","access":"Always","username":"MQTT","uid":" ","hostname":"front"}',
};

/**
 * A tag as the event stream of Home Assistant publishes it, and as automations do with `trigger.event.data | to_json`.
 */
const HOME_ASSISTANT = {
  event:
    '{"event_type": "tag_scanned", "event_data": {"tag_id": "74-10-37-94", "name": null, "device_id": "0e19cd3cf2b311ea88f469a7512c307d"}}',
  other: '{"event_type": "state_changed", "event_data": {"entity_id": "sun.sun"}}',
  data: '{"tag_id": "8a1e0d7c-8b5c-4f2c-9f4e-4a3a3ad2e7b1", "device_id": "0e19cd3cf2b311ea88f469a7512c307d"}',
};

/** Messages of Zigbee2MQTT for a keypad KEYZB-110: a tag, a typed code, and others. */
const ZIGBEE2MQTT = {
  tag: '{"action":"disarm","action_code":"+74E85B0E","action_transaction":99,"action_zone":23,"battery":100,"linkquality":120,"tamper":false}',
  typed: '{"action":"disarm","action_code":"471147","action_transaction":100,"action_zone":23,"battery":100}',
  button: '{"action":"emergency","battery":100}',
  state: '{"action":null,"action_code":null,"battery":100,"battery_low":false,"tamper":false,"voltage":5900}',
};

describe('JSON messages', () => {
  let broker: PluggableBroker;

  before(async () => {
    broker = await PluggableBroker.create();
  });

  after(() => broker.dispose());

  /** The results of a reader with these parameters: ids, with the name of the reader before them, and problems. */
  async function read(parameters: string, ...payloads: readonly string[]): Promise<readonly string[]> {
    const reader = createReader(`mqtt://127.0.0.1:${broker.port}/tags?name=doors&format=json&${parameters}`, {
      clock,
    });
    const connections = new Recorder(reader.connections);
    const results: string[] = [];
    reader.readings.subscribe(({ id, reader: name }) => results.push(`${name} ${id}`));
    reader.faults.subscribe(({ error }) => results.push(String(error.details['problem'] ?? error.code)));
    const faults = new Recorder<string>({
      subscribe: (next) => reader.faults.subscribe(({ error }) => next(error.message)),
    });
    await reader.open();
    await connections.count(1);
    for (const payload of payloads) await broker.publish('tags', payload);
    // Messages are taken in order: after this one, all others were taken.
    await broker.publish('tags', 'end');
    await faults.find('the end', (message) => message.endsWith('got 3 other characters'));
    await reader.close();
    return results.slice(0, -1);
  }

  const messages: readonly (readonly [
    what: string,
    parameters: string,
    payloads: readonly string[],
    results: readonly string[],
  ])[] = [
    [
      'of esp-rfid contain tags, and other data that is ignored',
      'field=uid&where=type:access&reader-field=hostname&spelling=dec',
      [ESP_RFID.heartbeat, ESP_RFID.warning, ESP_RFID.unknown],
      ['doors/back 0063E9AE'],
    ],
    [
      'of esp-rfid are a fault where a door was opened without a tag',
      'field=uid&where=type:access&spelling=text',
      [ESP_RFID.access, ESP_RFID.command],
      ['doors B52C62387F140B25BEEC', 'the message has no text and no whole number at "uid"'],
    ],
    [
      "of Home Assistant's event stream hold tags",
      'field=event_data.tag_id&where=event_type:tag_scanned&technology=iso14443',
      [HOME_ASSISTANT.other, HOME_ASSISTANT.event],
      ['doors 74103794'],
    ],
    [
      'of an automation of Home Assistant contain a tag with a text as its id',
      'field=tag_id&spelling=text',
      [HOME_ASSISTANT.data],
      ['doors C894EED84E22C8FBAAC1'],
    ],
    [
      'of Zigbee2MQTT hold the tags of a keypad, and a code that was typed is a fault',
      'field=action_code&where=action_code&prefix=%2B',
      [ZIGBEE2MQTT.state, ZIGBEE2MQTT.button, ZIGBEE2MQTT.typed, ZIGBEE2MQTT.tag],
      ['the value at "action_code" does not begin with "+"', 'doors 74E85B0E'],
    ],
    [
      'of ESPHome hold UIDs, and numbers',
      'field=tag&spelling=dec',
      ['{"tag":6547886}', '{"tag":"6547886"}', '{"tag":4294967295}'],
      ['doors 0063E9AE', 'doors 0063E9AE', 'BLANK_TALLY_ID'],
    ],
    [
      'are searched in nested objects, and by index in lists',
      'field=a.1.b',
      ['{"a":[{"b":"04A2B3C4"},{"b":"6B3D12D6"}]}'],
      ['doors 6B3D12D6'],
    ],
    [
      'match one of several values',
      'field=id&where=kind:in%7Cout',
      ['{"kind":"in","id":"04A2B3C4"}', '{"kind":"test","id":"04A2B3C5"}', '{"kind":"out","id":"04A2B3C6"}'],
      ['doors 04A2B3C4', 'doors 04A2B3C6'],
    ],
    [
      'fit a value with a colon, and do not fit with an object in its place',
      'field=id&where=at:12:30',
      ['{"at":"12:30","id":"04A2B3C4"}', '{"at":{},"id":"04A2B3C5"}', '{"id":"04A2B3C5"}'],
      ['doors 04A2B3C4'],
    ],
    [
      'do not fit "undefined" if the field is missing',
      'field=id&where=kind:undefined',
      ['{"id":"04A2B3C4"}', '{"kind":null,"id":"04A2B3C5"}', '{"kind":{},"id":"04A2B3C6"}'],
      [],
    ],
    [
      'do not fit a path alone if the field is empty',
      'field=id&where=id',
      ['{}', '{"id":null}', '{"id":""}', '{"id":"04A2B3C4"}'],
      ['doors 04A2B3C4'],
    ],
    [
      'are a fault without an id at the expected place',
      'field=id',
      [
        '{}',
        '{"id":null}',
        '{"id":[["04A2B3C4"]]}',
        '{"id":-5}',
        '{"id":1.5}',
        '{"id":9007199254740993}',
        '[[]]',
      ],
      Array.from({ length: 7 }, () => 'the message has no text and no whole number at "id"'),
    ],
    [
      'are a fault if they are no JSON, or no object',
      'field=id',
      ['04A2B3C4', '{"id":', '"04A2B3C4"', '12', 'true'],
      [
        ...Array.from({ length: 2 }, () => 'the message is not JSON'),
        ...Array.from({ length: 3 }, () => 'the message is JSON, but neither an object nor a list'),
      ],
    ],
    [
      'do not have the fields of the prototype',
      'field=id&where=toString',
      ['{"id":"04A2B3C4"}', '{"id":"04A2B3C5","toString":1}'],
      ['doors 04A2B3C5'],
    ],
    [
      'are a tap also without the name of the device, and then a fault too',
      'field=id&reader-field=at',
      [
        '{"id":"04A2B3C4"}',
        '{"id":"04A2B3C4","at":"a\\u0007b"}',
        '{"id":"04A2B3C4","at":7}',
        '{"id":"04A2B3C4"}',
      ],
      [
        'doors 04A2B3C4',
        'the message does not say which reader it is from',
        'doors 04A2B3C4',
        'the message does not say which reader it is from',
        'doors/7 04A2B3C4',
        'doors 04A2B3C4',
        'the message does not say which reader it is from',
      ],
    ],
    [
      'have ids in the same formats as other readers',
      'field=id&order=reversed',
      ['{"id":" C4:B3:A2:04 "}'],
      ['doors 04A2B3C4'],
    ],
  ];
  for (const [what, parameters, payloads, results] of messages) {
    it(what, async () => {
      expect(await read(parameters, ...payloads)).to.deep.equal(results);
    });
  }

  it('are never shown in faults', async () => {
    const reader = createReader(`mqtt://127.0.0.1:${broker.port}/tags?format=json&field=id&prefix=x`, {
      clock,
    });
    const connections = new Recorder(reader.connections);
    const faults = new Recorder({
      subscribe: (next) =>
        reader.faults.subscribe(({ error }) => next(JSON.stringify([error.message, error.details]))),
    });
    await reader.open();
    await connections.count(1);
    for (const text of ['Ada Lovelace', '{"name":"Ada"}', '{"id":"Ada"}']) await broker.publish('tags', text);
    for (const said of await faults.count(3)) expect(said).to.not.contain('Ada');
    await reader.close();
  });

  const wrong: Readonly<Record<string, string>> = {
    'format=json': 'format=json needs field=, the field with the id',
    'format=json&field=': 'field is the name of a field, or several with dots between, such as data.uid',
    'format=json&field=a..b': 'field is the name of a field',
    'format=json&field=a&where=:b': 'where is the name of a field',
    'format=json&field=a&reader-field=.': 'reader-field is the name of a field',
    'format=plain&field=a': 'the parameter "field" is unknown',
  };
  for (const [parameters, message] of Object.entries(wrong)) {
    it(`are not described by ${parameters}`, () => {
      try {
        createReader(`mqtt://b/a?${parameters}`, { clock });
      } catch (error) {
        if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
        expect(error.message).to.contain(message);
        return;
      }
      expect.fail('it was not refused');
    });
  }

  it('can be described in code as in a URL', () => {
    const there = { host: '127.0.0.1', port: broker.port, isSecure: false };
    expect(
      new MqttIdSource({ broker: there, topic: 'tags', payload: { field: 'uid' } }, clock).kind,
    ).to.equal('mqtt');
  });
});
