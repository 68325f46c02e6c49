import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MqttConnection } from '@tallybook/devices';
import type { IdSource, Lifecycle, Reading, TallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { Mosquitto, whyNoMosquitto } from '../../../devices/test/mqtt/mosquitto.js';
import { createReader } from '../../src/index.js';
import { idsOf } from '../fixtures/recorded-source.js';

const ADA = '04A2B3C4D5';
const BOB = '0006547886';
const clock = new ManualClock();

const whyNot = whyNoMosquitto();

describe('a reader behind Mosquitto', () => {
  let mosquitto: Mosquitto;
  let door: MqttConnection;
  const opened: Lifecycle[] = [];
  let ids: Recorder<string>;
  let faults: Recorder<TallybookError>;
  let connections: Recorder<string>;

  before(async () => {
    if (whyNot === undefined) mosquitto = await Mosquitto.create();
  });

  beforeEach(function () {
    if (whyNot !== undefined) this.skip(whyNot);
  });

  after(async () => {
    if (whyNot === undefined) await mosquitto.dispose();
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  const url = (more = ''): string =>
    `mqtts://localhost:${mosquitto.tlsPort}/door?ca=${mosquitto.caFile}&credentials=${mosquitto.credentialsFile}${more}`;

  async function open(text: string): Promise<IdSource> {
    const reader = createReader(text, { clock });
    opened.push(reader);
    ids = idsOf(reader);
    faults = new Recorder({ subscribe: (next) => reader.faults.subscribe(({ error }) => next(error)) });
    connections = new Recorder(reader.connections);
    await reader.open();
    return reader;
  }

  async function openConnected(text: string): Promise<IdSource> {
    const reader = await open(text);
    await connections.find('connected', (connection) => connection === 'connected');
    return reader;
  }

  /** Opens the device at the door, without TLS. */
  async function openDoor(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      door = new MqttConnection({
        broker: {
          host: '127.0.0.1',
          port: mosquitto.port,
          isSecure: false,
          credentialsFile: mosquitto.credentialsFile,
        },
        clock,
        purpose: 'door',
        faultCode: 'OUTPUT_FAILED',
        onConnected: resolve,
        onWaiting: () => undefined,
        retryDelayMs: () => 20,
      });
      opened.push(door);
      door.open().catch(reject);
    });
  }

  async function isBack(reader: IdSource): Promise<void> {
    const before = connections.values.length;
    await connections.find(
      'connected again',
      () => connections.values.length > before && reader.connection === 'connected',
    );
  }

  it('reads through TLS, with an authority of its own and a password', async () => {
    await openConnected(url());
    await openDoor();
    await door.publish('door', ADA);
    expect(await ids.count(1)).to.deep.equal([ADA]);
    expect(faults.values).to.be.empty;
  });

  it('reports a certificate that is untrusted, of another host, or missing', async () => {
    const untrusted = `mqtts://localhost:${mosquitto.tlsPort}/door?credentials=${mosquitto.credentialsFile}`;
    const cases = [
      [untrusted, 'certificate', 'its certificate is not trusted'],
      [url().replace('localhost', '127.0.0.1'), 'certificate', 'its certificate is for another host'],
      [url().replace('ca.pem', 'none.pem'), 'file', 'none.pem is missing'],
      [url().replace('ca.pem', 'mosquitto.conf'), 'certificate', 'cannot be used'],
      [
        url('&cert=CONF&key=CONF').replaceAll('CONF', join(mosquitto.folder, 'mosquitto.conf')),
        'certificate',
        'ours is not',
      ],
      [url().replace(String(mosquitto.tlsPort), String(mosquitto.port)), undefined, 'cannot be used'],
    ] as const;
    for (const [text, reason, message] of cases) {
      await open(text);
      const [fault] = await faults.count(1);
      expect(fault?.message).to.contain(message);
      if (reason !== undefined) expect(fault?.details['reason']).to.equal(reason);
      await opened.pop()?.close();
    }
  });

  it('reports a wrong password without showing it', async () => {
    const file = join(mosquitto.folder, 'wrong');
    await writeFile(file, 'ada:secret\n');
    await open(url().replace(mosquitto.credentialsFile, file));
    const [fault] = await faults.count(1);
    expect(fault?.details['reason']).to.equal('credentials');
    expect(fault?.message).to.not.contain('secret');
  });

  it('gets messages from the time when it was closed, and no retained message again', async () => {
    const reader = await openConnected(url('&client=kept'));
    await reader.close();
    await openDoor();
    await door.publish('door', ADA);
    await door.publish('door', BOB, { retain: true });
    await reader.open();
    await ids.count(2);
    await reader.close();
    await reader.open();
    await isBack(reader);
    await door.publish('door', '', { retain: true });
    await door.publish('door', ADA);
    expect(await ids.count(3)).to.deep.equal([ADA, BOB, ADA]);
  });

  it('continues to read after the broker was killed and has lost its session', async () => {
    const reader = await openConnected(url('&client=killed'));
    await mosquitto.kill();
    const [fault] = await faults.count(1);
    expect(fault?.details['reason']).to.equal('lost');
    await mosquitto.start();
    await isBack(reader);
    await openDoor();
    await door.publish('door', ADA);
    expect(await ids.count(1)).to.deep.equal([ADA]);
  });

  it('reads each message once when the broker restarts before the acknowledgement', async () => {
    const reader = await openConnected(url('&client=restarted'));
    await openDoor();
    let finish: () => void = () => undefined;
    const hold = ({ id, waitUntil }: Reading): void => {
      if (id === ADA) waitUntil?.(new Promise((resolve) => (finish = () => resolve('counted'))));
    };
    reader.readings.subscribe(hold);
    await door.publish('door', ADA);
    await ids.count(1);
    await door.publish('door', BOB);
    await mosquitto.kill('SIGTERM');
    await faults.count(1);
    finish();
    await mosquitto.start();
    await isBack(reader);
    expect(await ids.count(2)).to.deep.equal([ADA, BOB]);
    expect(faults.values.map(({ details }) => details['reason'])).to.deep.equal(['lost']);
  });
});
