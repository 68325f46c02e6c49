import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Emitter, type TallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { watchAppointments } from '../../../testing/test/fixtures/watch-appointments.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { MqttConnection, type BrokerMessage, type MqttConnectionOptions } from '../../src/index.js';
import { PluggableBroker, type Published } from './pluggable-broker.js';

const STATUS = 'tallybook/me/status';
/** The answer to a client without a session at the broker. */
const CONNACK = Buffer.of(0x20, 2, 0, 0);
const connections: MqttConnection[] = [];
let nextPurpose = 0;

/** A connection, and its states and messages. */
class Subject {
  readonly clock = new ManualClock();
  readonly connection: MqttConnection;
  /** `connected`, or the reason of a fault, or `waiting`. */
  readonly states: Recorder<string>;
  readonly faults: TallybookError[] = [];
  readonly messages: Recorder<BrokerMessage>;

  constructor(port: number, options: Partial<MqttConnectionOptions> = {}) {
    const states = new Emitter<string>();
    const messages = new Emitter<BrokerMessage>();
    this.states = new Recorder(states);
    this.messages = new Recorder(messages);
    this.connection = new MqttConnection({
      clock: this.clock,
      purpose: `test ${++nextPurpose}`,
      faultCode: 'OUTPUT_FAILED',
      statusTopic: STATUS,
      onConnected: () => states.emit('connected'),
      onWaiting: (fault) => {
        if (fault !== undefined) this.faults.push(fault);
        states.emit(fault === undefined ? 'waiting' : String(fault.details['reason']));
      },
      onMessage: (message) => messages.emit(message),
      retryDelayMs: () => 5,
      steadyMs: 0,
      ...options,
      broker: { host: '127.0.0.1', port, isSecure: false, ...options.broker },
    });
    connections.push(this.connection);
  }

  get payloads(): string[] {
    return this.messages.values.map(({ payload }) => payload.toString());
  }

  async connected(times = 1): Promise<this> {
    if (this.connection.status === 'closed') await this.connection.open();
    const isConnected = (): boolean =>
      this.states.values.filter((state) => state === 'connected').length >= times;
    await this.states.find(`connection ${times}`, isConnected);
    return this;
  }
}

/** Takes messages, and finishes the latest one when the test says so. */
class SlowHandler {
  finish: () => void = () => undefined;
  readonly #payloads = new Emitter<string>();
  readonly taken: Recorder<string> = new Recorder(this.#payloads);

  readonly onMessage = ({ payload }: BrokerMessage): Promise<void> => {
    this.#payloads.emit(payload.toString());
    return new Promise((resolve) => (this.finish = resolve));
  };
}

testLifecycle('MqttConnection', async (afterwards) => {
  const broker = await PluggableBroker.create();
  afterwards(() => broker.dispose());
  return new Subject(broker.port).connection;
});

describe('MqttConnection', () => {
  let broker: PluggableBroker;
  let published: Recorder<Published>;

  beforeEach(async () => {
    broker = await PluggableBroker.create();
    published = new Recorder(broker.published);
  });

  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close();
    await broker.dispose();
  });

  const statuses = (): string[] =>
    published.values.filter(({ topic }) => topic === STATUS).map(({ payload }) => payload);

  it('leaves no timer when it is closed, though it waited for the broker with one', async () => {
    using timers = new RecordedTimers();
    const { connection } = await new Subject(broker.port).connected();
    const before = timers.delays.length;
    await connection.close();
    const waits = timers.delays.slice(before);
    expect(waits).to.include.members([2_000, 300]);
    await new Promise(setImmediate);
    expect(timers.pending).to.not.include.members([2_000]).and.not.include.members([300]);
  });

  it('waits for nothing that the broker has answered', async () => {
    const subject = new Subject(broker.port, { filters: ['a', 'b'] });
    const appointments = watchAppointments(subject.clock);
    await subject.connected();
    expect(appointments.asked.map(([delayMs]) => delayMs)).to.deep.equal([10_000, 10_000]);
    expect(appointments.waiting).to.deep.equal([]);
  });

  describe('when it publishes', () => {
    it('resolves when the broker has the message', async () => {
      const { connection } = await new Subject(broker.port).connected();
      await connection.publish('a/b', 'one', { retain: true });
      expect(published.values.at(-1)).to.deep.equal({ topic: 'a/b', payload: 'one', qos: 1, retain: true });
      await connection.publish('a/b', Buffer.from('two'), { qos: 0 });
      expect(await published.find('two', ({ payload }) => payload === 'two')).to.deep.equal({
        topic: 'a/b',
        payload: 'two',
        qos: 0,
        retain: false,
      });
    });

    it('rejects while the broker is away, and keeps nothing', async () => {
      await broker.unplug();
      const { connection, states } = new Subject(broker.port);
      await connection.open();
      await states.find('missing', (state) => state === 'missing');
      expect(connection.isConnected).to.equal(false);
      const failure = await rejectionOf('OUTPUT_FAILED', connection.publish('a', 'lost'));
      expect(failure.details).to.deep.equal({ reason: 'missing' });
      await broker.plug();
      await states.find('connected', (state) => state === 'connected');
      await connection.publish('a', 'kept');
      expect(published.values.map(({ payload }) => payload)).to.deep.equal(['online', 'kept']);
    });

    it('rejects with NOT_OPEN while it is closed', async () => {
      const { connection } = new Subject(broker.port);
      await rejectionOf('NOT_OPEN', connection.publish('a', 'b'));
    });

    it('rejects what the broker has not acknowledged when it is lost', async () => {
      const { connection } = await new Subject(broker.port).connected();
      broker.deafen();
      const failure = rejectionOf('OUTPUT_FAILED', connection.publish('a', 'lost'));
      await broker.unplug();
      expect((await failure).details).to.include({ reason: 'lost' });
    });
  });

  describe('when it publishes its status', () => {
    it('has a topic with its client id, unless another one is set', async () => {
      const options = { statusTopic: undefined, broker: { clientId: 'desk' } } as object;
      await new Subject(broker.port, options).connected();
      expect(published.values).to.deep.equal([
        { topic: 'tallybook/desk/status', payload: 'online', qos: 1, retain: true },
      ]);
    });

    it('publishes `offline` when it is closed', async () => {
      // Longest wait for the broker to get the message.
      using _ = new RecordedTimers([300]);
      const { connection } = await new Subject(broker.port).connected();
      await connection.close();
      expect(statuses()).to.deep.equal(['online', 'offline']);
    });

    it('has the broker publish `offline` when the connection breaks', async () => {
      const subject = await new Subject(broker.port).connected();
      await broker.unplug();
      await published.find('offline', ({ payload }) => payload === 'offline');
      await broker.plug();
      await subject.connected(2);
      expect(statuses()).to.deep.equal(['online', 'offline', 'online']);
      expect(published.values[1]).to.include({ topic: STATUS, retain: true });
    });
  });

  describe('when the broker falls silent', () => {
    it('closes after 300 ms', async () => {
      const subjects = [1, 2, 3].map(
        (id) => new Subject(broker.port, { broker: { clientId: `me-${id}` } as never }),
      );
      for (const subject of subjects) await subject.connected();
      broker.deafen();
      using timers = new RecordedTimers([300]);
      for (const { connection } of subjects) {
        const closing = connection.close();
        while (!timers.pending.includes(300)) await new Promise(setImmediate);
        timers.expire(300);
        await closing;
      }
      // The first delay of each pair waits for messages in work: there are none.
      expect(timers.delays).to.deep.equal([2_000, 300, 2_000, 300, 2_000, 300]);
    });
  });

  describe('when it is temporary', () => {
    const filters = ['door/+'];
    const purpose = 'reader door/+';
    const temporary = { filters, purpose, isTemporary: true, statusTopic: undefined };

    it('publishes no status, and leaves no session at the broker', async () => {
      const subject = await new Subject(broker.port, temporary).connected();
      await broker.publish('door/1', 'open');
      await subject.messages.count(1);
      await subject.connection.close();
      await broker.publish('door/1', 'closed');
      await subject.connected(2);
      await broker.publish('door/1', 'open again');
      await subject.messages.count(2);
      expect(subject.payloads).to.deep.equal(['open', 'open again']);
      expect(published.values).to.be.empty;
    });

    it('has a new id each time', async () => {
      const ids: string[] = [];
      const asking = await PluggableBroker.create({
        authenticate: ({ id }, _username, _password, done) => {
          ids.push(id);
          done(null, true);
        },
      });
      const { connection } = await new Subject(asking.port, temporary).connected();
      await connection.close();
      await (await new Subject(asking.port, temporary).connected()).connection.close();
      await asking.dispose();
      for (const id of ids) expect(id).to.match(/^tallybook-[0-9a-f]{12}$/);
      expect(new Set(ids).size).to.equal(2);
    });

    it('neither disconnects another connection of the same purpose nor takes its kept messages', async () => {
      for (const clientId of [undefined, 'desk']) {
        const kept = new Subject(broker.port, { filters, purpose, broker: { clientId } as never });
        await kept.connected();
        const first = await new Subject(broker.port, {
          ...temporary,
          broker: { clientId } as never,
        }).connected();
        await broker.publish('door/1', 'one');
        await kept.messages.count(1);
        await first.messages.count(1);
        await kept.connection.close();
        await broker.publish('door/1', 'two');
        await first.messages.count(2);
        await first.connection.close();
        await kept.connected(2);
        await kept.messages.count(2);
        expect(kept.states.values).to.deep.equal(['connected', 'connected']);
        await kept.connection.close();
      }
    });
  });

  describe('when it is subscribed', () => {
    const filters = ['door/+'];

    it('subscribes to its filters, and to nothing if it has none', async () => {
      const asked: string[] = [];
      const asking = await PluggableBroker.create({
        authorizeSubscribe: (_client, subscription, done) => {
          asked.push(`${subscription.topic} ${subscription.qos}`);
          done(null, subscription);
        },
      });
      for (const options of [{}, { filters: ['door/+', 'window'] }]) {
        const { connection } = await new Subject(asking.port, options).connected();
        await connection.close();
      }
      await asking.dispose();
      expect(asked).to.deep.equal(['door/+ 1', 'window 1']);
    });

    it('hands messages over, and marks retained ones', async () => {
      await broker.publish('door/1', 'old', { retain: true });
      const { messages } = await new Subject(broker.port, { filters }).connected();
      await broker.publish('door/2', Buffer.of(0xff, 0x00));
      await broker.publish('window', 'none');
      await broker.publish('door/3', 'new', { qos: 0 });
      expect(await messages.count(3)).to.deep.equal([
        { topic: 'door/1', payload: Buffer.from('old'), isRetained: true },
        { topic: 'door/2', payload: Buffer.of(0xff, 0x00), isRetained: false },
        { topic: 'door/3', payload: Buffer.from('new'), isRetained: false },
      ]);
    });

    it('gets what was published while it was away, and while it was closed', async () => {
      const subject = await new Subject(broker.port, { filters }).connected();
      await broker.unplug();
      await published.find('offline', ({ payload }) => payload === 'offline');
      await broker.publish('door/1', 'away');
      await broker.plug();
      await subject.messages.count(1);
      await subject.connection.close();
      await broker.publish('door/1', 'closed');
      await subject.connection.open();
      await subject.messages.count(2);
      expect(subject.payloads).to.deep.equal(['away', 'closed']);
    });

    it('hands a message over once, even if its acknowledgement was lost', async () => {
      const subject = await new Subject(broker.port, { filters }).connected();
      broker.deafen();
      await broker.publish('door/1', 'one');
      await subject.messages.count(1);
      await broker.unplug();
      await broker.plug();
      await subject.connected(2);
      await broker.publish('door/1', 'two');
      await subject.messages.count(2);
      expect(subject.payloads).to.deep.equal(['one', 'two']);
      // The broker has forgotten the subscription too.
      await subject.connection.close();
      await subject.connection.open();
      await subject.connected(3);
      await broker.publish('door/1', 'three');
      await subject.messages.count(3);
      expect(subject.payloads).to.deep.equal(['one', 'two', 'three']);
    });

    it('acknowledges a message when it is handled, and then takes the next one', async () => {
      const done: (() => void)[] = [];
      const taken = new Emitter<string>();
      const order = new Recorder(taken);
      const onMessage = ({ payload }: BrokerMessage): Promise<void> => {
        taken.emit(payload.toString());
        return new Promise((resolve) => done.push(resolve));
      };
      await new Subject(broker.port, { filters, onMessage }).connected();
      await broker.publish('door/1', 'one');
      await broker.publish('door/1', 'two');
      await order.count(1);
      expect(order.values).to.deep.equal(['one']);
      done[0]?.();
      await order.count(2);
      done[1]?.();
    });

    it('waits for a message that is being handled when it closes, and leaves the next one to the broker', async () => {
      const handler = new SlowHandler();
      const { connection } = await new Subject(broker.port, {
        filters,
        onMessage: handler.onMessage,
      }).connected();
      await broker.publish('door/1', 'one');
      await broker.publish('door/1', 'two');
      await handler.taken.count(1);
      const closing = connection.close();
      await new Promise(setImmediate);
      expect(connection.status).to.equal('closing');
      handler.finish();
      await closing;
      expect(handler.taken.values).to.deep.equal(['one']);
      await connection.open();
      await handler.taken.count(2);
      expect(handler.taken.values).to.deep.equal(['one', 'two']);
      handler.finish();
    });

    it('gets a message again if it could not be handled', async () => {
      let times = 0;
      const taken = new Emitter<number>();
      const onMessage = (): void => {
        times++;
        if (times === 1) throw new Error('not now');
        taken.emit(times);
      };
      const second = new Recorder(taken).count(1);
      await new Subject(broker.port, { filters, onMessage }).connected();
      await broker.publish('door/1', 'one');
      await second;
    });
  });

  describe('when it cannot connect', () => {
    /** Opens a connection and returns its first fault. */
    async function faultOf(
      port: number,
      options: Partial<MqttConnectionOptions> = {},
    ): Promise<TallybookError> {
      const { connection, states, faults } = new Subject(port, options);
      await connection.open();
      await states.count(1);
      const [fault] = faults;
      if (fault === undefined) throw new Error(`there was no fault, but ${states.values.join()}`);
      return fault;
    }

    it('reports once that the broker is away, and tries until it is back', async () => {
      const subject = await new Subject(broker.port).connected();
      await broker.unplug();
      await subject.states.count(6);
      expect(subject.states.values.slice(0, 3)).to.deep.equal(['connected', 'lost', 'waiting']);
      expect(subject.faults).to.have.length(1);
      await broker.plug();
      await subject.connected(2);
      await broker.unplug();
      await subject.states.find('another loss', () => subject.faults.length === 2);
    });

    it('suspects another client of the same id when it is lost again within a minute', async () => {
      await broker.unplug();
      const subject = new Subject(broker.port);
      await subject.connection.open();
      // Neither the missing broker nor the closing counts as a loss.
      await subject.states.count(1);
      await broker.plug();
      await subject.connected();
      await subject.connection.close();
      subject.faults.length = 0;
      await subject.connected(2);
      for (const [index, pauseMs] of [0, 60_001, 60_000].entries()) {
        subject.clock.advance(pauseMs);
        await broker.unplug();
        await subject.states.find('lost', () => subject.faults.length > index);
        await broker.plug();
        await subject.connected(index + 3);
      }
      expect(subject.faults.map(({ details }) => details['reason'])).to.deep.equal([
        'lost',
        'lost',
        'lost-again',
      ]);
      const suspicion = 'another client may have the same client id: set another one with client=';
      expect(subject.faults.map(({ message }) => message.includes(suspicion))).to.deep.equal([
        false,
        false,
        true,
      ]);
    });

    it('reports that another program than a broker listens there', async () => {
      for (const greeting of ['HTTP/1.1 400 Bad Request\r\n\r\n', '']) {
        const server = createServer(
          (socket) =>
            void socket
              .on('error', () => undefined)
              .resume()
              .end(greeting),
        );
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const fault = await faultOf(portOf(server));
        expect(fault.message).to.contain('it does not answer like a broker');
        await connections.pop()?.close();
        server.close();
      }
    });

    it('closes at once while it waits for a server that never answers', async () => {
      // Nothing is given up by time.
      using timers = new RecordedTimers([10_000]);
      const server = createServer(() => undefined);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { connection, states } = new Subject(portOf(server));
      const called = once(server, 'connection');
      await connection.open();
      const [socket] = (await called) as [Socket];
      await connection.close();
      expect(timers.delays).to.include(10_000);
      socket.destroy();
      server.close();
      expect(states.values).to.deep.equal([]);
    });

    describe('because the broker accepts it and then falls silent', () => {
      let silent: Server;
      /** The kinds of packets that reach the server. */
      let packets: Recorder<'CONNECT' | 'SUBSCRIBE' | 'PUBLISH' | undefined>;

      beforeEach(async () => {
        const arrivals = new Emitter<'CONNECT' | 'SUBSCRIBE' | 'PUBLISH' | undefined>();
        packets = new Recorder(arrivals);
        silent = createServer((socket) => {
          socket
            .on('error', () => undefined)
            .on('data', ([first = 0]) => {
              const kind = ({ 1: 'CONNECT', 8: 'SUBSCRIBE', 3: 'PUBLISH' } as const)[first >> 4];
              if (kind === 'CONNECT') socket.write(CONNACK);
              arrivals.emit(kind);
            });
        });
        silent.listen(0, '127.0.0.1');
        await once(silent, 'listening');
      });

      afterEach(async () => {
        await connections.pop()?.close();
        silent.close();
      });

      for (const [awaited, filters] of [
        ['SUBSCRIBE', ['door/1']],
        ['PUBLISH', []],
      ] as const) {
        it(`says so 10 s after ${awaited}`, async () => {
          const { clock, connection, states, faults } = new Subject(portOf(silent), { filters });
          await connection.open();
          await packets.find(awaited, (kind) => kind === awaited);
          clock.advance(9_999);
          await new Promise(setImmediate);
          expect(states.values).to.deep.equal([]);
          clock.advance(1);
          await states.count(1);
          expect(faults[0]?.message).to.contain(
            'it does not answer like a broker (it says nothing for 10 s)',
          );
          expect(faults[0]?.details).to.include({ reason: 'missing' });
        });
      }
    });

    it('does not treat the broker as silent while it handles a message from before the answer', async () => {
      const handler = new SlowHandler();
      const subject = await new Subject(broker.port, {
        filters: ['door/1'],
        onMessage: handler.onMessage,
      }).connected();
      await subject.connection.close();
      await broker.publish('door/1', 'kept');
      await subject.connection.open();
      await handler.taken.count(1);
      subject.clock.advance(10_000);
      await new Promise(setImmediate);
      handler.finish();
      await subject.connected(2);
      expect(subject.states.values).to.deep.equal(['connected', 'connected']);
    });

    it('continues without a refused subscription if it has `onRefused`, and reports it there', async () => {
      const strict = await PluggableBroker.create({
        authorizeSubscribe: (_client, _subscription, done) => done(null, null),
      });
      const refusals: TallybookError[] = [];
      const onRefused = (fault: TallybookError): void => void refusals.push(fault);
      const { connection, states } = new Subject(strict.port, { filters: ['door/1'], onRefused });
      await connection.open();
      await states.count(1);
      expect(states.values).to.deep.equal(['connected']);
      expect(refusals.map(({ details }) => details['reason'])).to.deep.equal(['refused']);
      expect(refusals[0]?.message).to.contain('subscribe to door/1');
      await connections.pop()?.close();
      await strict.dispose();
    });

    it('says which topics it is not allowed to read', async () => {
      const strict = await PluggableBroker.create({
        authorizeSubscribe: (_client, _subscription, done) => done(null, null),
      });
      const fault = await faultOf(strict.port, { filters: ['door/1'] });
      expect(fault.message).to.contain(
        'does not let this client subscribe to door/1; allow it on the broker',
      );
      expect(fault.details).to.include({ reason: 'refused' });
      await connections.pop()?.close();
      await strict.dispose();
    });

    describe('without the right password', () => {
      let strict: PluggableBroker;
      const folder = useTempDirectory();

      before(async () => {
        strict = await PluggableBroker.create({
          authenticate: (_client, username, password, done) => {
            done(null, username === 'ada' && password?.toString() === 'pass:word');
          },
        });
      });

      after(() => strict.dispose());

      const withFile = async (content: string): Promise<object> => {
        const credentialsFile = join(folder.path, 'credentials');
        await writeFile(credentialsFile, content);
        return { broker: { credentialsFile } };
      };

      it('says so, without the password', async () => {
        const fault = await faultOf(strict.port, await withFile('ada:secret\n'));
        expect(fault.details).to.include({ reason: 'credentials' });
        expect(fault.message).to.contain('it refuses the user or the password; correct credentials=FILE');
        expect(JSON.stringify([fault.message, fault.details, String(fault.cause)])).to.not.match(
          /ada|secret/,
        );
      });

      it('reads the file again at each attempt', async () => {
        const subject = new Subject(strict.port, await withFile('ada:secret'));
        await subject.connection.open();
        await subject.states.count(2);
        await withFile('ada:pass:word\r\n');
        await subject.connected();
      });

      it('uses the environment if there is no file', async () => {
        const env = { TALLYBOOK_MQTT_USERNAME: 'ada', TALLYBOOK_MQTT_PASSWORD: 'pass:word' };
        await new Subject(strict.port, { env }).connected();
      });
    });
  });
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
