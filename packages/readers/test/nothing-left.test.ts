import { PassThrough } from 'node:stream';
import type { Reading } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../devices/test/mqtt/pluggable-broker.js';
import { watchAppointments } from '../../testing/test/fixtures/watch-appointments.js';
import { createReader, StdinIdSource } from '../src/index.js';
import { idsOf } from './fixtures/recorded-source.js';
import { RunningClock } from './fixtures/running-clock.js';
import { PluggableLine } from './serial/pluggable-line.js';
import { encodeFrame } from './serial/decoders/rdm6300-frame.js';

const ADA = '62E3086CED';

describe('A reader that is closed', () => {
  let clock: RunningClock;
  beforeEach(() => (clock = new RunningClock()));

  for (const protocol of ['rdm6300', 'pn532', 'em18', 'lines']) {
    it(`leaves no timer on a line that speaks ${protocol}, in the middle of a frame`, async () => {
      const line = await PluggableLine.create();
      const source = createReader(`serial:${line.path}?protocol=${protocol}&confirm=3`, { clock });
      const raws = new Recorder(source.raws);
      await source.open();
      if (protocol === 'rdm6300') {
        await line.send(encodeFrame(ADA));
        await raws.count(1);
      }
      expect(clock.pending).to.be.greaterThan(0);
      await source.close();
      expect(clock.pending).to.equal(0);
      expect(line.countUsers()).to.equal(0);
      await line.dispose();
    });
  }

  it('keeps unread lines of standard input for the next opening', async () => {
    const stream = new PassThrough();
    const source = new StdinIdSource({ stream }, clock);
    const ids = idsOf(source);
    await source.open();
    const sent = Array.from({ length: 1_000 }, (_, n) => `AB${String(n).padStart(8, '0')}`);
    stream.write(`${sent.join('\n')}\n`);
    await ids.count(1);
    await source.close();
    const taken = ids.values.length;
    expect(taken).to.be.lessThan(sent.length);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(ids.values).to.have.length(taken);
    await source.open();
    expect(await ids.count(sent.length)).to.deep.equal(sent);
    await source.close();
  });

  it('no longer waits for the outcome of a kept reading over MQTT', async () => {
    const appointments = watchAppointments(clock);
    const broker = await PluggableBroker.create();
    const source = createReader(`mqtt://127.0.0.1:${broker.port}/tele/+/SENSOR`, { clock });
    const ids = idsOf(source);
    const connections = new Recorder(source.connections);
    let keep = (): void => undefined;
    source.readings.subscribe((reading: Reading) =>
      reading.waitUntil?.(new Promise((resolve) => (keep = () => resolve('counted')))),
    );
    await source.open();
    await connections.count(1);
    await broker.publish('tele/door/SENSOR', ADA);
    await ids.count(1);
    expect(appointments.waiting).to.include(15_000);
    keep();
    await new Promise(setImmediate);
    expect(appointments.waiting).to.not.include(15_000);
    await source.close();
    await broker.dispose();
  });
});

describe('A reader over MQTT with a topic of several levels', () => {
  const topics: readonly (readonly [filter: string, taken: readonly string[], left: readonly string[]])[] = [
    [
      'site/+/door/SENSOR',
      ['site/a/door/SENSOR', 'site/b/door/SENSOR'],
      ['site/door/SENSOR', 'site/a/b/door/SENSOR', 'site/a/door/SENSOR/x', 'other/a/door/SENSOR'],
    ],
    ['site/%23', ['site', 'site/a', 'site/a/door/SENSOR'], ['sites/a', 'other/site/a']],
    [
      'site/a/door/SENSOR',
      ['site/a/door/SENSOR'],
      ['site/a/door', 'site/a/door/sensor', 'site/a/door/SENSOR/'],
    ],
  ];
  for (const [filter, taken, left] of topics) {
    it(`reads only messages to ${taken.join(', ')} with ${filter}`, async () => {
      const broker = await PluggableBroker.create();
      const source = createReader(`mqtt://127.0.0.1:${broker.port}/${filter}`, { clock: new RunningClock() });
      const ids = idsOf(source);
      const connections = new Recorder(source.connections);
      await source.open();
      await connections.count(1);
      for (const topic of left) await broker.publish(topic, 'FFFFFFFF01');
      for (const [n, topic] of taken.entries()) await broker.publish(topic, `AB0000000${n}`);
      await ids.count(taken.length);
      expect(ids.values).to.deep.equal(taken.map((_, n) => `AB0000000${n}`));
      await source.close();
      await broker.dispose();
    });
  }
});
