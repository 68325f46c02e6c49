import { expect } from 'chai';
import { Recorder } from '@tallybook/testing';
import { at, day, tag } from '../../../devices/test/publishing/recorded-attendance.js';
import { MemoryJournal } from '../../../store-memory/src/index.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { Home, recordReasons, TOPIC } from './fixtures/home.js';

describe('MqttPublisher', () => {
  let home: Home;
  beforeEach(async () => {
    home = await Home.create();
  });
  afterEach(() => home.dispose());

  testLifecycle('MqttPublisher', () => home.createPublisher());

  it('reports once that the broker is there, that it is lost, and that it is back', async () => {
    const publisher = home.createPublisher();
    const connections = new Recorder(publisher.connections);
    await home.broker.unplug();
    await publisher.open();
    await home.broker.plug();
    await connections.count(1);
    await home.broker.unplug();
    await connections.count(2);
    await home.broker.plug();
    await connections.count(3);
    await publisher.close();
    await publisher.open();
    await connections.count(4);
    expect(connections.values).to.deep.equal(['connected', 'waiting', 'connected', 'connected']);
  });

  describe('while the broker is there', () => {
    it('publishes the outcome of a scan, without the name, not retained, acknowledged', async () => {
      await home.attendance.names.put(tag(1), { first: 'Ada', last: 'Lovelace' });
      await home.openPublisher();
      await home.attendance.tap(tag(1));
      home.attendance.clock.advance(1_000);
      await home.attendance.tap(tag(1), 'gate');
      const [first, second] = await home.toldOf(2);
      expect(first).to.deep.equal({
        message: first?.message,
        id: tag(1),
        day,
        at,
        outcome: 'counted',
        reader: 'door',
        late: false,
      });
      expect(second).to.include({ outcome: 'already-counted', reader: 'gate', id: tag(1) });
      expect(first?.message).not.to.equal(second?.message);
      const sent = home.published.values.filter(({ topic }) => topic === `${TOPIC}/scan`);
      expect(sent.map(({ qos, retain }) => ({ qos, retain }))).to.deep.equal([
        { qos: 1, retain: false },
        { qos: 1, retain: false },
      ]);
    });

    it('publishes a provisional scan at once, and again when it is filed', async () => {
      const { clock } = home.attendance;
      await home.openPublisher();
      clock.setSynchronised(false);
      clock.set(at - 1_000);
      await home.attendance.tap(tag(1));
      const [provisional] = await home.toldOf(1);
      expect(provisional).to.include({
        id: tag(1),
        day: null,
        at: null,
        outcome: 'provisional',
        sequence: 1,
      });
      expect(provisional).to.include({ late: false });
      clock.set(at + 3_600);
      clock.setSynchronised(true);
      clock.advance(2_000);
      const [, filed] = await home.toldOf(2);
      expect(filed).to.deep.include({ id: tag(1), day, at: at + 3_600, outcome: 'counted', late: true });
      expect(filed).to.deep.include({ filed: { sequence: 1 } });
    });

    it('publishes a scan that cannot be written, and its later outcome', async () => {
      await home.openPublisher();
      await home.attendance.days.close();
      await home.attendance.tap(tag(1));
      expect((await home.toldOf(1))[0]).to.include({
        id: tag(1),
        day: null,
        outcome: 'failed',
        isKept: true,
      });
      await home.attendance.days.open();
      home.attendance.clock.advance(11_000);
      const [, written] = await home.toldOf(2);
      // A program that opens a door for a scan must not do so now.
      expect(written).to.include({ id: tag(1), at, outcome: 'counted', late: true });
    });

    it('publishes once that a scan cannot be written, also after it was opened again', async () => {
      const publisher = await home.openPublisher();
      await publisher.close();
      await publisher.open();
      await home.roundTrip();
      await home.attendance.days.close();
      await home.attendance.tap(tag(1));
      await home.toldOf(1);
      await home.roundTrip();
      expect(home.told.map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      await home.attendance.days.open();
    });

    it('publishes at the status topic, retained, that it is there and that it has ended', async () => {
      const publisher = await home.openPublisher();
      await publisher.close();
      await home.published.find('offline', ({ payload }) => payload === 'offline');
      const status = home.published.values.filter(({ topic }) => topic === `${TOPIC}/status`);
      expect(status.map(({ payload, retain }) => ({ payload, retain }))).to.deep.equal([
        { payload: 'online', retain: true },
        { payload: 'offline', retain: true },
      ]);
    });

    it('delivers earlier changes before it closes', async () => {
      // The longest delivery before it closes.
      using _ = new RecordedTimers([500]);
      const publisher = await home.openPublisher();
      for (let n = 0; n < 100; n++) void home.attendance.tap(tag(n));
      await home.attendance.service.settled();
      await publisher.close();
      expect(home.told.map(({ id }) => id)).to.deep.equal(Array.from({ length: 100 }, (_, n) => tag(n)));
    });

    it('publishes no changes from before its first opening', async () => {
      await home.attendance.tap(tag(1));
      await home.openPublisher();
      await home.attendance.tap(tag(2));
      await home.toldOf(1);
      expect(home.told.map(({ id }) => id)).to.deep.equal([tag(2)]);
    });

    it('publishes the removal of a day, and no changes of names', async () => {
      await home.openPublisher();
      await home.attendance.tap(tag(1));
      await home.attendance.names.put(tag(1), { first: 'Ada', last: '' });
      await home.attendance.service.removeDay(day);
      const topic = `${TOPIC}/record`;
      const { payload, retain } = await home.published.find('the day', (each) => each.topic === topic);
      const { message, ...rest } = JSON.parse(payload) as { readonly message: string };
      expect(rest).to.deep.equal({ event: 'day-removed', day });
      expect(message).to.match(/^[A-Za-z0-9_]+-\d+$/);
      expect(retain).to.equal(false);
      expect(home.published.values.filter((each) => each.topic === topic)).to.have.lengthOf(1);
    });
  });

  describe('while the broker is away', () => {
    it('opens, reports that once, and delays nothing', async () => {
      await home.broker.unplug();
      const publisher = home.createPublisher();
      const reasons = recordReasons(publisher);
      await publisher.open();
      await reasons.count(1);
      await home.attendance.tap(tag(1));
      expect(publisher.connection).to.equal('waiting');
      expect(await publisher.countWaiting()).to.equal(1);
      await home.broker.plug();
      await home.toldOf(1);
      expect(publisher.connection).to.equal('connected');
      await publisher.close();
      expect(await publisher.countWaiting()).to.equal(0);
      expect(reasons.values).to.deep.equal(['missing']);
    });

    it('delivers all changes later, in order, each once', async () => {
      const publisher = await home.openPublisher();
      const reasons = recordReasons(publisher);
      const tags = Array.from({ length: 300 }, (_, n) => tag(n));
      for (const id of tags.slice(0, 5)) await home.attendance.tap(id);
      await home.toldOf(5);
      await home.roundTrip();
      await home.broker.unplug();
      await reasons.find('lost', (reason) => reason === 'lost');
      for (const id of tags.slice(5)) {
        await home.attendance.tap(id);
        home.attendance.clock.advance(1_000);
      }
      await home.broker.plug();
      const told = await home.toldOf(300);
      expect(told.map(({ id }) => id)).to.deep.equal(tags);
      expect(new Set(told.map(({ message }) => message))).to.have.property('size', 300);
      expect(told.map(({ late }) => late)).to.deep.equal([
        ...Array.from({ length: 5 }, () => false),
        // 295 seconds have passed, and a scan is late after ten seconds.
        ...Array.from({ length: 285 }, () => true),
        ...Array.from({ length: 10 }, () => false),
      ]);
    });

    it('delivers later 32 messages at a time', async () => {
      await home.broker.unplug();
      const publisher = home.createPublisher();
      await publisher.open();
      const { journal } = home.attendance;
      const positions: number[] = [];
      const advance = journal.advance.bind(journal);
      journal.advance = (consumer, cursor) => {
        positions.push(cursor);
        return advance(consumer, cursor);
      };
      for (let n = 1; n <= 70; n++) await home.attendance.tap(tag(n));
      await home.broker.plug();
      await home.toldOf(70);
      await publisher.close();
      expect(positions).to.deep.equal([32, 64, 70]);
    });

    it('delivers waiting changes after a restart, as late', async () => {
      await home.broker.unplug();
      const before = home.createPublisher();
      await before.open();
      for (let n = 0; n < 50; n++) await home.attendance.tap(tag(n));
      await before.close();
      await home.broker.plug();
      await home.openPublisher();
      await home.attendance.tap(tag(50));
      const told = await home.toldOf(51);
      expect(told.map(({ id }) => id)).to.deep.equal(Array.from({ length: 51 }, (_, n) => tag(n)));
      expect(told.map(({ late }) => late)).to.deep.equal([...Array.from({ length: 50 }, () => true), false]);
    });

    it('delivers a message again, with the same id, if the broker got it but could not acknowledge it', async () => {
      const publisher = await home.openPublisher();
      const reasons = recordReasons(publisher);
      const pulling = home.broker.published.subscribe(({ topic }) => {
        if (topic === `${TOPIC}/scan`) void home.broker.unplug();
      });
      await home.attendance.tap(tag(1));
      await home.attendance.tap(tag(2));
      await reasons.find('lost', (reason) => reason === 'lost');
      pulling.unsubscribe();
      const before = home.told.length;
      await home.broker.plug();
      const told = await home.toldOf(before + 2);
      expect(told[0]).to.include({ id: tag(1) });
      expect(told.slice(before).map(({ id }) => id)).to.deep.equal([tag(1), tag(2)]);
      expect(told[before]?.message).to.equal(told[0]?.message);
      await home.roundTrip();
      await publisher.close();
      // No message waits for delivery.
      await home.openPublisher();
      await home.attendance.tap(tag(3));
      expect((await home.toldOf(before + 3)).at(-1)).to.include({ id: tag(3) });
    });
  });

  describe('when the broker does not acknowledge a message in the middle of others', () => {
    let ignored: string | undefined;
    beforeEach(async () => {
      ignored = tag(2);
      await home.dispose();
      home = await Home.create({
        authorizePublish: (_client, { payload }, done) => {
          if (ignored === undefined || !payload.toString().includes(ignored)) done(null);
        },
      });
      // Later all waiting messages are sent at the same time.
      await home.broker.unplug();
    });

    it('delivers this message and all later ones again', async () => {
      const publisher = home.createPublisher({ discoveryPrefix: 'ha' });
      const connections = new Recorder(publisher.connections);
      await publisher.open();
      for (let n = 1; n <= 3; n++) await home.attendance.tap(tag(n));
      await home.broker.plug();
      await home.toldOf(2);
      await home.roundTrip();
      ignored = undefined;
      await home.broker.unplug();
      await connections.count(2);
      await home.broker.plug();
      const told = await home.toldOf(4);
      expect(told.map(({ id }) => id)).to.deep.equal([1, 3, 2, 3].map(tag));
    });

    it('notes acknowledged messages before it closes', async () => {
      const publisher = home.createPublisher({ discoveryPrefix: 'ha' });
      await publisher.open();
      for (let n = 1; n <= 2; n++) await home.attendance.tap(tag(n));
      await home.broker.plug();
      await home.toldOf(1);
      await home.roundTrip();
      await publisher.close();
      expect(await home.attendance.journal.position('home')).to.equal(1);
    });
  });

  describe('when the journal does not have all changes', () => {
    it('reports how many changes are not published, and continues with the oldest kept one', async () => {
      await home.dispose();
      home = await Home.create({}, new MemoryJournal(undefined, { limit: 100 }));
      const publisher = await home.openPublisher();
      await publisher.close();
      for (let n = 1; n <= 150; n++) await home.attendance.tap(tag(n));
      const faults = new Recorder(publisher.faults);
      await publisher.open();
      await home.published.find('the last one', ({ payload }) => payload.includes(tag(150)));
      const { told } = home;
      const first = Number(told[0]?.message.split('-')[1]);
      expect(told[0]).to.include({ id: tag(first) });
      expect(told).to.have.lengthOf(151 - first);
      const [fault] = faults.values;
      expect(fault?.details['reason']).to.equal('given-up');
      expect(fault?.message).to.include(`up to ${first - 1} changes were not published`);
    });
  });

  describe('with Home Assistant', () => {
    const TAG = 'homeassistant/tag/tallybook_home_attendance/config';
    const SENSOR = 'homeassistant/binary_sensor/tallybook_home_attendance/config';

    it('describes a tag scanner and a sensor of the connection, retained', async () => {
      await home.openPublisher({ discoveryPrefix: 'homeassistant' });
      await home.published.find('the sensor', ({ topic }) => topic === SENSOR);
      const found = home.published.values.filter(({ topic }) => topic.endsWith('/config'));
      expect(found.map(({ topic, retain }) => ({ topic, retain }))).to.deep.equal([
        { topic: TAG, retain: true },
        { topic: SENSOR, retain: true },
      ]);
      const device = {
        identifiers: ['tallybook_home_attendance'],
        name: 'Tallybook home/attendance',
        manufacturer: 'Tallybook',
      };
      expect(found.map(({ payload }) => JSON.parse(payload) as unknown)).to.deep.equal([
        {
          topic: 'home/attendance/scan',
          value_template:
            "{{ value_json.id if not value_json.late and value_json.outcome != 'failed' else '' }}",
          device,
        },
        {
          name: 'Connection',
          unique_id: 'tallybook_home_attendance_connection',
          state_topic: 'home/attendance/status',
          payload_on: 'online',
          payload_off: 'offline',
          device_class: 'connectivity',
          entity_category: 'diagnostic',
          device,
        },
      ]);
    });

    it('describes them again when Home Assistant was started, and not when it stops', async () => {
      await home.openPublisher({ discoveryPrefix: 'ha' });
      const descriptions = (): number =>
        home.published.values.filter(({ topic }) => topic.startsWith('ha/tag/')).length;
      await home.published.find('the first', () => descriptions() === 1);
      await home.broker.publish('ha/status', 'offline');
      await home.broker.publish('ha/status', 'online');
      await home.published.find('the second', () => descriptions() === 2);
      await home.attendance.tap(tag(1));
      await home.toldOf(1);
      expect(descriptions()).to.equal(2);
    });

    it('publishes also without the right to subscribe to Home Assistant, and reports that once', async () => {
      const strict = await Home.create({
        authorizeSubscribe: (_client, _subscription, done) => done(null, null),
      });
      const publisher = strict.createPublisher({ discoveryPrefix: 'ha' });
      const faults: string[] = [];
      publisher.faults.subscribe(({ message }) => faults.push(message));
      const connections = new Recorder(publisher.connections);
      await publisher.open();
      await strict.attendance.tap(tag(1));
      await strict.toldOf(1);
      const refusals = (): number =>
        faults.filter((message) => message.includes('subscribe to ha/status; allow it')).length;
      expect(refusals()).to.equal(1);
      await strict.broker.unplug();
      await strict.broker.plug();
      await connections.count(3);
      await strict.dispose();
      expect(refusals()).to.equal(1);
    });
  });
});
