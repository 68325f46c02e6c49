import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { ManualClock, Recorder } from '@tallybook/testing';
import { Emitter } from '@tallybook/domain';
import { expect } from 'chai';
import { MqttConnection, type MqttConnectionOptions } from '../../src/index.js';
import { PluggableBroker } from './pluggable-broker.js';

const opened: MqttConnection[] = [];

/** A connection to a port of this machine, for tests of its waiting times. */
function createConnection(port: number, options: Partial<MqttConnectionOptions> = {}): MqttConnection {
  const connection = new MqttConnection({
    broker: { host: '127.0.0.1', port, isSecure: false },
    clock: new ManualClock(),
    purpose: 'patience',
    faultCode: 'OUTPUT_FAILED',
    onConnected: () => undefined,
    onWaiting: () => undefined,
    ...options,
  });
  opened.push(connection);
  return connection;
}

async function createBroker(): Promise<PluggableBroker & AsyncDisposable> {
  const broker = await PluggableBroker.create();
  return Object.assign(broker, { [Symbol.asyncDispose]: () => broker.dispose() });
}

describe('MqttConnection, how long it waits', () => {
  afterEach(async () => {
    for (const connection of opened.splice(0)) await connection.close();
  });

  describe('for a server that accepts connections and is silent', () => {
    const { setTimeout: usual } = globalThis;
    let silent: Server;
    let delays: number[] = [];
    let socket: Socket | undefined;

    beforeEach(async () => {
      delays = [];
      globalThis.setTimeout = Object.assign((work: () => void, delayMs: number) => {
        delays.push(delayMs);
        return usual(work, delayMs);
      }, usual);
      silent = createServer();
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });
    afterEach(() => {
      globalThis.setTimeout = usual;
      socket?.destroy();
      silent.close();
    });

    it('is ten seconds, and asks a broker for a keep-alive of half a minute', async () => {
      const connection = createConnection((silent.address() as AddressInfo).port);
      const called = once(silent, 'connection');
      await connection.open();
      [socket] = (await called) as [Socket];
      const [packet] = (await once(socket, 'data')) as [Buffer];
      // MQTT 3.1.1, 3.1.2: the name of the protocol, its level and flags, then the seconds.
      const seconds = packet.readUInt16BE(packet.indexOf('MQTT') + 6);
      expect({ seconds, delays }).to.deep.equal({ seconds: 30, delays: [10_000] });
    });
  });

  it('is two seconds for a message under way, when it closes', async () => {
    await using broker = await createBroker();
    const arrivals = new Emitter<string>();
    const taken = new Recorder(arrivals);
    const connections = new Emitter<string>();
    const connected = new Recorder(connections);
    const connection = createConnection(broker.port, {
      filters: ['door/1'],
      onConnected: () => connections.emit('connected'),
      onMessage: ({ payload }) => {
        arrivals.emit(payload.toString());
        return new Promise(() => undefined);
      },
    });
    await connection.open();
    await connected.count(1);
    await broker.publish('door/1', 'for ever');
    await taken.count(1);
    const beginMs = performance.now();
    await connection.close();
    expect(performance.now() - beginMs).to.be.within(1_900, 10_000);
  });
});
