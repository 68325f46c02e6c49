import type { Reading } from '@tallybook/domain';
import { idSourceContract, ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { idsOf } from '../fixtures/recorded-source.js';
import { itRefusesUrls } from '../fixtures/refused-urls.js';
import { createReader, MqttIdSource, type MqttReaderOptions, type PayloadName } from '../../src/index.js';

const TOPIC = 'tele/door/SENSOR';
const clock = new ManualClock();

/** For each kind of message: how ids are published, and a message without an id. */
const payloads: Readonly<Record<PayloadName, readonly [encode: (id: string) => string, noise: string]>> = {
  plain: [(id) => `${id}\n`, 'no id'],
  tasmota: [(id) => `{"Time":"1970-01-01T00:00:12","RDM6300":{"UID":"${id}"}}`, '{"Time":'],
  esphome: [(id) => (id.match(/../g) ?? []).join('-'), 'no id'],
};

for (const [payload, [encode, noise]] of Object.entries(payloads)) {
  idSourceContract(
    { describe, it },
    {
      name: `MqttIdSource with ${payload}`,
      clock,
      pluggable: true,
      make: async () => {
        const broker = await PluggableBroker.create();
        const options = {
          broker: { host: '127.0.0.1', port: broker.port, isSecure: false },
          topic: TOPIC,
          payload: payload as PayloadName,
        };
        const source = new MqttIdSource({ ...options, retryDelayMs: () => 1 }, clock);
        return {
          source,
          present: (id) => broker.publish(TOPIC, encode(id)),
          garble: () => broker.publish(TOPIC, noise),
          unplug: () => broker.unplug(),
          plug: () => broker.plug(),
          cleanup: async () => {
            await source.close();
            await broker.dispose();
          },
        };
      },
    },
  );
}

describe('MqttIdSource', () => {
  const sources: MqttIdSource[] = [];
  let broker: PluggableBroker;
  let ids: Recorder<string>;
  let codes: Recorder<string>;
  let connections: Recorder<string>;

  beforeEach(async () => {
    broker = await PluggableBroker.create();
  });

  afterEach(async () => {
    for (const source of sources.splice(0)) await source.close();
    await broker.dispose();
  });

  /** Makes a reader. */
  function make(options: Partial<MqttReaderOptions> = {}): MqttIdSource {
    const source = new MqttIdSource(
      {
        broker: { host: '127.0.0.1', port: broker.port, isSecure: false },
        topic: TOPIC,
        retryDelayMs: () => 1,
        ...options,
      },
      clock,
    );
    sources.push(source);
    ids = idsOf(source);
    codes = new Recorder({ subscribe: (next) => source.faults.subscribe(({ error }) => next(error.code)) });
    connections = new Recorder(source.connections);
    return source;
  }

  async function opened(options: Partial<MqttReaderOptions> = {}): Promise<MqttIdSource> {
    const source = make(options);
    await source.open();
    await connections.find('connected', (connection) => connection === 'connected');
    return source;
  }

  it('does not treat a retained message as a tap', async () => {
    await broker.publish(TOPIC, '04A2B3C4D5', { retain: true });
    await opened();
    await broker.publish(TOPIC, '0006547886');
    expect(await ids.count(1)).to.deep.equal(['0006547886']);
  });

  it('takes no messages from its former topic', async () => {
    const there = { host: '127.0.0.1', port: broker.port, isSecure: false, clientId: 'door' };
    await (await opened({ broker: there, topic: 'old/#' })).close();
    await broker.publish('old/door', '04A2B3C4D5');
    await opened({ broker: there });
    await broker.publish('old/door', '04A2B3C4D5');
    await broker.publish(TOPIC, '0006547886');
    expect(await ids.count(1)).to.deep.equal(['0006547886']);
  });

  it('is the same client after it was renamed, so that no message is kept for the old name', async () => {
    await (await opened({ name: 'door' })).close();
    await broker.publish(TOPIC, '04A2B3C4D5');
    const renamed = await opened({ name: 'gate' });
    expect(await ids.count(1)).to.deep.equal(['04A2B3C4D5']);
    await renamed.close();
    await broker.publish(TOPIC, '0006547886');
    await opened({ name: 'door' });
    expect(await ids.count(1)).to.deep.equal(['0006547886']);
  });

  it('reports no fault for an empty message or for the state of a device', async () => {
    await opened({ topic: 'tele/door/#', payload: 'tasmota' });
    for (const payload of ['Online', 'Offline', '', ' \n']) await broker.publish('tele/door/LWT', payload);
    await broker.publish('tele/door/STATE', '{"Uptime":"0T00:10:13"}');
    await broker.publish(TOPIC, '{"RDM6300":{"UID":"008EC793"}}');
    expect(await ids.count(1)).to.deep.equal(['008EC793']);
    expect(codes.values).to.be.empty;
  });

  it('reports ids that mean "no tag", random UIDs, and messages that are too long', async () => {
    await opened({ payload: 'tasmota' });
    await broker.publish(TOPIC, '{"Wiegand":{"UID":0,"Size":26}}');
    await broker.publish(TOPIC, '{"PN532":{"UID":"08A1B2C3"}}');
    await broker.publish(TOPIC, '{"RDM6300":{"UID":"08A1B2C3"}}');
    await broker.publish(TOPIC, `{"a":"${'x'.repeat(65_536)}"}`);
    expect(await codes.count(3)).to.deep.equal(['BLANK_TALLY_ID', 'UNSTABLE_TALLY_ID', 'FRAME_INVALID']);
    expect(ids.values).to.deep.equal(['08A1B2C3', '08A1B2C3']);
  });

  describe('when a subscriber to its readings asks it to wait', () => {
    /** Opens a reader, has a tag read, and returns its reading and a function that ends the work on it. */
    async function held(): Promise<{ readonly source: MqttIdSource; readonly finish: () => void }> {
      let finish: () => void = () => undefined;
      const source = await opened();
      const hold = ({ id, waitUntil }: Reading): void => {
        if (id === '04A2B3C4D5') waitUntil?.(new Promise((resolve) => (finish = () => resolve('counted'))));
      };
      source.readings.subscribe(hold);
      await broker.publish(TOPIC, '04A2B3C4D5');
      await ids.count(1);
      await broker.publish(TOPIC, '0006547886');
      return { source, finish: () => finish() };
    }

    it('takes the next message when the work is done', async () => {
      const { finish } = await held();
      await new Promise(setImmediate);
      expect(ids.values).to.deep.equal(['04A2B3C4D5']);
      finish();
      expect(await ids.count(2)).to.deep.equal(['04A2B3C4D5', '0006547886']);
    });

    it('gets a message again if it was unacknowledged when the process ended', async () => {
      await held();
      await broker.unplug();
      await broker.plug();
      // After a start a new object knows no earlier messages, but for the broker it is the same client.
      await opened();
      expect(await ids.count(2)).to.deep.equal(['04A2B3C4D5', '0006547886']);
    });

    it('does not acknowledge a message if its scan could not be kept, and gets it again', async () => {
      const source = await opened();
      let refusals = 1;
      source.readings.subscribe(({ waitUntil }) => {
        waitUntil?.(refusals-- > 0 ? Promise.reject(new Error('full')) : Promise.resolve('counted'));
      });
      await broker.publish(TOPIC, '04A2B3C4D5');
      await broker.publish(TOPIC, '0006547886');
      expect(await ids.count(3)).to.deep.equal(['04A2B3C4D5', '04A2B3C4D5', '0006547886']);
    });

    it('waits no longer than 15 s', async () => {
      await held();
      clock.advance(14_999);
      await new Promise(setImmediate);
      expect(ids.values).to.have.length(1);
      clock.advance(1);
      await ids.count(2);
    });

    it('leaves the next message to the broker when it is closed', async () => {
      const { source, finish } = await held();
      const closing = source.close();
      finish();
      await closing;
      expect(ids.values).to.deep.equal(['04A2B3C4D5']);
      await source.open();
      expect(await ids.count(2)).to.deep.equal(['04A2B3C4D5', '0006547886']);
    });
  });

  describe('when the reader publishes its state', () => {
    const availabilityTopic = 'tele/door/LWT';

    it('waits while the reader is offline, also if that was published before', async () => {
      await broker.publish(availabilityTopic, 'Offline', { retain: true });
      const source = make({ availabilityTopic });
      await source.open();
      await codes.count(1);
      expect(source.connection).to.equal('waiting');
      await broker.publish(availabilityTopic, 'Online', { retain: true });
      await connections.find('connected', () => source.connection === 'connected');
      await broker.publish(availabilityTopic, 'offline');
      await broker.publish(availabilityTopic, 'offline');
      await broker.publish(availabilityTopic, 'online');
      await connections.find('connected', () => connections.values.at(-1) === 'connected');
      expect(codes.values).to.deep.equal(['READER_DISCONNECTED', 'READER_DISCONNECTED']);
    });

    it('reads the state again when it is opened again', async () => {
      const source = await opened({ availabilityTopic });
      await broker.publish(availabilityTopic, 'offline');
      await codes.count(1);
      await source.close();
      await source.open();
      await connections.find('connected', () => source.connection === 'connected');
    });

    it('is connected while no state is published', async () => {
      const source = await opened({ availabilityTopic });
      expect(source.connection).to.equal('connected');
    });
  });
});

describe('the URL of a reader behind a broker', () => {
  it('names it after the topic, and has a parameter for the format of ids', async () => {
    expect(createReader('mqtt://b/tele/door/SENSOR', { clock }).name).to.equal('mqtt:tele/door/SENSOR');
    expect(createReader('mqtts://b/a?name=door&ca=ca.pem', { clock })).to.include({
      name: 'door',
      kind: 'mqtt',
    });
    const broker = await PluggableBroker.create();
    const url = `mqtt://127.0.0.1:${broker.port}/door/+?format=tasmota&spelling=dec10&order=reversed&keep=3`;
    const reader = createReader(url, { clock });
    const ids = idsOf(reader);
    const connections = new Recorder(reader.connections);
    await reader.open();
    await connections.count(1);
    await broker.publish('door/1', '{"RDM6300":{"UID":"008EC793"}}');
    expect(await ids.count(1)).to.deep.equal(['C78E00']);
    await reader.close();
    await broker.dispose();
  });

  itRefusesUrls([
    ['mqtt:door', 'host', 'the URL of a broker is mqtt://HOST/TOPIC'],
    ['mqtt://b', 'path', 'path is an MQTT topic such as home/door, with + as a whole level'],
    ['mqtt://b/a%23', 'path', 'path is an MQTT topic'],
    ['mqtt://b/a?format=hex', 'format', 'format is one of plain, tasmota, esphome, json, csv; got "hex"'],
    ['mqtt://b/a?spelling=dez', 'spelling', 'spelling is one of hex, hex-xor'],
    ['mqtt://b/a?availability=a/%2B', 'availability', 'such as home/door, without the wildcards'],
    ['mqtt://b/a?qos=1', 'qos', 'allowed are availability, client, credentials, format, keep, name, order,'],
    ['mqtt://ada:secret@b/a', undefined, 'because URLs are logged; put them into a file: credentials=FILE.'],
    ['mqtts://ada:secret@b/a', undefined, 'because URLs are logged; put them into a file: credentials=FILE.'],
  ]);
});
