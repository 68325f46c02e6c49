import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { MqttConnection, type MqttConnectionOptions, type Publisher } from '@tallybook/devices';
import { Emitter, type Lifecycle, type TallybookError } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { Mosquitto, whyNoMosquitto } from '../../../devices/test/mqtt/mosquitto.js';
import { RecordedAttendance, tag } from '../../../devices/test/publishing/recorded-attendance.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { createPublisher } from '../../src/index.js';
import { parse, type Told } from './fixtures/messages.js';

const whyNot = whyNoMosquitto();
const SCAN = 'home/attendance/scan';
/** Reconnecting takes at least half a second. */
const PATIENCE_MS = 20_000;

describe('a publisher before Mosquitto', () => {
  const folder = useTempDirectory();
  const opened: Lifecycle[] = [];
  let mosquitto: Mosquitto;
  let attendance: RecordedAttendance;

  before(async function () {
    if (whyNot !== undefined) this.skip(whyNot);
    mosquitto = await Mosquitto.create();
  });
  after(async () => {
    if (whyNot === undefined) await mosquitto.dispose();
  });
  beforeEach(async () => {
    attendance = await new RecordedAttendance().open();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  function create(): Publisher {
    const { caFile, credentialsFile, tlsPort } = mosquitto;
    const access = `ca=${caFile}&credentials=${credentialsFile}`;
    const publisher = createPublisher(
      `mqtts://localhost:${tlsPort}/home/attendance?${access}`,
      attendance.dependencies,
    );
    opened.push(publisher);
    return publisher;
  }

  /** Subscribes to filters without TLS, as another client. Resolves when it is connected. */
  async function listen(purpose: string, ...filters: readonly string[]): Promise<Recorder<[string, string]>> {
    const messages = new Emitter<[string, string]>();
    const recorder = new Recorder(messages, PATIENCE_MS);
    await new Promise<void>((resolve, reject) => {
      const options: MqttConnectionOptions = {
        broker: {
          host: '127.0.0.1',
          port: mosquitto.port,
          isSecure: false,
          credentialsFile: mosquitto.credentialsFile,
        },
        clock: attendance.clock,
        purpose,
        faultCode: 'OUTPUT_FAILED',
        filters,
        onMessage: ({ topic, payload }) => messages.emit([topic, payload.toString()]),
        onConnected: resolve,
        onWaiting: () => undefined,
        retryDelayMs: () => 20,
      };
      const connection = new MqttConnection(options);
      opened.push(connection);
      connection.open().catch(reject);
    });
    return recorder;
  }

  const toldIn = (recorder: Recorder<[string, string]>): Told[] =>
    recorder.values.filter(([topic]) => topic === SCAN).map(([, text]) => parse(text));

  it('publishes scans over TLS, and those during a restart of the broker, in order', async () => {
    const heard = await listen('all', 'home/attendance/#', 'homeassistant/#');
    const publisher = create();
    const faults = new Recorder<TallybookError>(publisher.faults, PATIENCE_MS);
    await publisher.open();
    await heard.find('online', ([topic, text]) => topic === 'home/attendance/status' && text === 'online');
    await heard.find(
      'a scanner',
      ([topic]) => topic === 'homeassistant/tag/tallybook_home_attendance/config',
    );
    await attendance.tap(tag(0));
    await heard.find('the first scan', ([topic]) => topic === SCAN);

    await mosquitto.kill('SIGTERM');
    await faults.find('lost', ({ details }) => details['reason'] === 'lost');
    for (let n = 1; n <= 40; n++) await attendance.tap(tag(n));
    await mosquitto.start();
    await heard.find('the last scan', ([topic, text]) => topic === SCAN && text.includes(tag(40)));

    // Messages in transit at the stop of the broker may come twice, with the same id.
    const told = [...new Map(toldIn(heard).map((each) => [each.message, each])).values()];
    expect(told.map(({ id }) => id)).to.deep.equal(Array.from({ length: 41 }, (_, n) => tag(n)));
  });

  it('is stopped by a wrong password until the file has the right one', async () => {
    const credentials = join(folder.path, 'credentials');
    await writeFile(credentials, 'nobody:wrong\n');
    const publisher = createPublisher(
      `mqtt://127.0.0.1:${mosquitto.port}/home/attendance?credentials=${credentials}`,
      attendance.dependencies,
    );
    opened.push(publisher);
    const faults = new Recorder<TallybookError>(publisher.faults, PATIENCE_MS);
    const connections = new Recorder(publisher.connections, PATIENCE_MS);
    await publisher.open();
    await faults.count(1);
    expect(publisher.stopped).to.equal(faults.values[0]);
    await copyFile(mosquitto.credentialsFile, credentials);
    await connections.count(1);
    expect([publisher.connection, publisher.stopped]).to.deep.equal(['connected', undefined]);
  });
});
