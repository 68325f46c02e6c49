import { parseTallyId, type Signal, type TallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker, type Published } from '../../../devices/test/mqtt/pluggable-broker.js';
import { thrownBy } from '../../../domain/test/fixtures/throws.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { createIndicator, type DeviceIndicator } from '../../src/index.js';
import { MqttIndicator, type MqttIndicatorOptions } from '../../src/mqtt/mqtt-indicator.js';

const clock = new ManualClock();
const id = parseTallyId('04A2B3C4D5');

function makeIndicator(port: number, options: Partial<MqttIndicatorOptions> = {}): MqttIndicator {
  const broker = { host: '127.0.0.1', port, isSecure: false };
  return new MqttIndicator({ broker, topic: 'door/lamp', retryDelayMs: () => 1, ...options }, clock);
}

testLifecycle('MqttIndicator', async (afterwards) => {
  const broker = await PluggableBroker.create();
  afterwards(() => broker.dispose());
  return makeIndicator(broker.port);
});

describe('MqttIndicator', () => {
  let broker: PluggableBroker;
  let shown: Recorder<Published>;
  let faults: Recorder<TallybookError>;
  let indicator: DeviceIndicator;

  beforeEach(async () => {
    broker = await PluggableBroker.create();
    shown = new Recorder({
      subscribe: (next) =>
        broker.published.subscribe((each) => {
          if (each.topic === 'door/lamp') next(each);
        }),
    });
  });

  afterEach(async () => {
    await indicator.close();
    await broker.dispose();
  });

  async function opened(options: Partial<MqttIndicatorOptions> = {}): Promise<void> {
    indicator = makeIndicator(broker.port, options);
    faults = new Recorder(indicator.faults);
    await indicator.open();
    await shown.count(1);
  }

  const show = (signal: Signal, reader = 'door'): void => indicator.show({ signal, id, reader });
  /** Shows a signal again and again until a number of messages came. */
  async function showUntil(count: number, signal: Signal): Promise<void> {
    while (shown.values.length < count) {
      show(signal);
      await new Promise(setImmediate);
    }
  }

  const payloads = (): string[] => shown.values.map(({ payload }) => payload);

  it('publishes the outcome of a tap, without name and id, for present subscribers', async () => {
    await opened();
    for (const signal of ['counted', 'already-counted', 'unknown', 'failed'] as const) show(signal);
    await shown.count(5);
    expect(payloads()).to.deep.equal([
      '{"signal":"started"}',
      '{"signal":"counted","reader":"door"}',
      '{"signal":"already-counted","reader":"door"}',
      '{"signal":"unknown","reader":"door"}',
      '{"signal":"failed","reader":"door"}',
    ]);
    for (const { qos, retain } of shown.values) expect([qos, retain]).to.deep.equal([1, false]);
  });

  it('publishes outcomes only of its reader and of the devices behind it', async () => {
    await opened({ reader: 'gate' });
    show('counted');
    show('counted', 'gates/front');
    show('unknown', 'gate');
    show('counted', 'gate/front');
    await shown.count(3);
    expect(payloads().slice(1)).to.deep.equal([
      '{"signal":"unknown","reader":"gate"}',
      '{"signal":"counted","reader":"gate/front"}',
    ]);
  });

  it('drops outcomes while the broker is away, and reports that once', async () => {
    await opened();
    await broker.unplug();
    const [fault] = await faults.count(1);
    expect(fault).to.have.property('code', 'OUTPUT_FAILED');
    show('counted');
    await broker.plug();
    await showUntil(2, 'unknown');
    expect(new Set(payloads().slice(1))).to.deep.equal(new Set(['{"signal":"unknown","reader":"door"}']));
    expect(faults.values).to.have.length(1);
  });

  it('reports once that the broker is there, that it is lost, and that it is back', async () => {
    indicator = makeIndicator(broker.port);
    const connections = new Recorder(indicator.connections);
    await broker.unplug();
    await indicator.open();
    await broker.plug();
    await connections.count(1);
    await broker.unplug();
    await connections.count(2);
    await broker.plug();
    await connections.count(3);
    await indicator.close();
    await indicator.open();
    await connections.count(4);
    expect(connections.values).to.deep.equal(['connected', 'waiting', 'connected', 'connected']);
  });

  it('drops outcomes when the broker has not answered for a second', async () => {
    await opened();
    broker.deafen();
    show('counted');
    clock.advance(1_000);
    show('already-counted');
    clock.advance(1);
    show('unknown');
    broker.hear();
    await showUntil(4, 'failed');
    expect(payloads().slice(1, 4)).to.deep.equal([
      '{"signal":"counted","reader":"door"}',
      '{"signal":"already-counted","reader":"door"}',
      '{"signal":"failed","reader":"door"}',
    ]);
  });

  it('shows its start at each opening, and nothing while it is closed', async () => {
    await opened();
    await indicator.close();
    show('counted');
    await indicator.open();
    await shown.count(2);
    expect(payloads()).to.deep.equal(['{"signal":"started"}', '{"signal":"started"}']);
  });

  it('is named by a URL', () => {
    indicator = createIndicator('mqtts://b/door/lamp?reader=door&ca=ca.pem', { clock });
    expect(indicator).to.be.instanceOf(MqttIndicator);
    expect(indicator).to.include({ name: 'mqtt:door/lamp', reader: 'door' });
    expect(createIndicator('mqtt://b/a?name=lamp', { clock })).to.include({
      name: 'lamp',
      reader: undefined,
    });
  });

  for (const [url, message] of [
    ['mqtt://b', 'path is an MQTT topic such as home/door, without the wildcards + and #; got ""'],
    ['mqtt://b/+', 'path is an MQTT topic'],
    ['mqtt://b/a?retain=yes', 'allowed are client, credentials, name, reader'],
  ] as const) {
    it(`is refused if its URL is ${url}`, () => {
      const refusal = thrownBy('INVALID_OPTION', () => createIndicator(url, { clock }));
      expect(refusal.message).to.contain(message);
    });
  }
});
