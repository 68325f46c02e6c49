import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { MqttIdSource } from '../../src/index.js';
import { itRefusesUrls } from '../fixtures/refused-urls.js';
import { readMessages } from './read-messages.js';

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

  const read = (parameters: string, ...payloads: readonly string[]): Promise<readonly string[]> =>
    readMessages(broker, `format=json&${parameters}`, payloads, ({ code, details }) =>
      String(details['problem'] ?? code),
    );

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
      ['door/back 0063E9AE'],
    ],
    [
      'of esp-rfid are a fault where a door was opened without a tag',
      'field=uid&where=type:access&spelling=text',
      [ESP_RFID.access, ESP_RFID.command],
      ['door B52C62387F140B25BEEC', 'the message has no text and no whole number at "uid"'],
    ],
    [
      "of Home Assistant's event stream hold tags",
      'field=event_data.tag_id&where=event_type:tag_scanned&technology=iso14443',
      [HOME_ASSISTANT.other, HOME_ASSISTANT.event],
      ['door 74103794'],
    ],
    [
      'of an automation of Home Assistant contain a tag with a text as its id',
      'field=tag_id&spelling=text',
      [HOME_ASSISTANT.data],
      ['door C894EED84E22C8FBAAC1'],
    ],
    [
      'of Zigbee2MQTT hold the tags of a keypad, and a code that was typed is a fault',
      'field=action_code&where=action_code&prefix=%2B',
      [ZIGBEE2MQTT.state, ZIGBEE2MQTT.button, ZIGBEE2MQTT.typed, ZIGBEE2MQTT.tag],
      ['the value at "action_code" does not begin with "+"', 'door 74E85B0E'],
    ],
    [
      'of ESPHome hold UIDs, and numbers',
      'field=tag&spelling=dec',
      ['{"tag":6547886}', '{"tag":"6547886"}', '{"tag":4294967295}'],
      ['door 0063E9AE', 'door 0063E9AE', 'BLANK_TALLY_ID'],
    ],
    [
      'are searched in nested objects, and by index in lists',
      'field=a.1.b',
      ['{"a":[{"b":"04A2B3C4"},{"b":"6B3D12D6"}]}'],
      ['door 6B3D12D6'],
    ],
    [
      'match one of several values',
      'field=id&where=kind:in%7Cout',
      ['{"kind":"in","id":"04A2B3C4"}', '{"kind":"test","id":"04A2B3C5"}', '{"kind":"out","id":"04A2B3C6"}'],
      ['door 04A2B3C4', 'door 04A2B3C6'],
    ],
    [
      'fit a value with a colon, and do not fit with an object in its place',
      'field=id&where=at:12:30',
      ['{"at":"12:30","id":"04A2B3C4"}', '{"at":{},"id":"04A2B3C5"}', '{"id":"04A2B3C5"}'],
      ['door 04A2B3C4'],
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
      ['door 04A2B3C4'],
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
      ['door 04A2B3C5'],
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
        'door 04A2B3C4',
        'the message does not say which reader it is from',
        'door 04A2B3C4',
        'the message does not say which reader it is from',
        'door/7 04A2B3C4',
        'door 04A2B3C4',
        'the message does not say which reader it is from',
      ],
    ],
    [
      'have ids in the same formats as other readers',
      'field=id&order=reversed',
      ['{"id":" C4:B3:A2:04 "}'],
      ['door 04A2B3C4'],
    ],
  ];
  for (const [what, parameters, payloads, results] of messages) {
    it(what, async () => {
      expect(await read(parameters, ...payloads)).to.deep.equal(results);
    });
  }

  it('are never shown in faults', async () => {
    const sent = ['Ada Lovelace', '{"name":"Ada"}', '{"id":"Ada"}'];
    const said = await readMessages(broker, 'format=json&field=id&prefix=x', sent, (error) =>
      JSON.stringify([error.message, error.details]),
    );
    expect(said).to.have.length(3);
    expect(said.join()).to.not.contain('Ada');
  });

  itRefusesUrls([
    ['mqtt://b/a?format=json', 'field', 'format=json needs field=, the field with the id'],
    ['mqtt://b/a?format=json&field=', 'field', 'field is the name of a field, or several with dots between'],
    ['mqtt://b/a?format=json&field=a..b', 'field', 'field is the name of a field'],
    ['mqtt://b/a?format=json&field=a&where=:b', 'where', 'where is the name of a field'],
    ['mqtt://b/a?format=json&field=a&reader-field=.', 'reader-field', 'reader-field is the name of a field'],
    ['mqtt://b/a?format=plain&field=a', 'field', 'the parameter "field" is unknown'],
  ]);

  it('can be described in code as in a URL', () => {
    const there = { host: '127.0.0.1', port: broker.port, isSecure: false };
    const source = new MqttIdSource(
      { broker: there, topic: 'tags', payload: { field: 'uid' } },
      new ManualClock(),
    );
    expect(source.kind).to.equal('mqtt');
  });
});
