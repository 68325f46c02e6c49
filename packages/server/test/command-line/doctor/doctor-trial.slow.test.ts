import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createReader } from '@tallybook/readers';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../../../devices/test/mqtt/pluggable-broker.js';
import { PluggableLine } from '../../../../readers/test/serial/pluggable-line.js';
import { encodeFrame } from '../../../../readers/test/serial/decoders/rdm6300-frame.js';
import { RecordedTimers } from '../../../../testing/test/fixtures/recorded-timers.js';
import { DeviceRightsReader } from '../../../src/doctor/device-access.js';
import { DeviceSurvey } from '../../../src/doctor/device-survey.js';
import { doctor, type DoctorFlags } from '../../../src/command-line/doctor/doctor-command.js';
import { failureOf } from '../../fixtures/failure-of.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const ADA = '04A2B3C4D5';

/** A running trial of a reader: its lines and its end. */
class RunningTrial {
  readonly lines: string[] = [];
  readonly exited: Promise<number>;
  readonly #interruption = new AbortController();
  #hear: () => void = () => undefined;

  constructor(flags: DoctorFlags) {
    const write = (line: string): void => {
      this.lines.push(line);
      this.#hear();
    };
    this.exited = doctor(flags, [], write, this.#interruption.signal);
  }

  /** Waits until a line matches. */
  async says(pattern: RegExp): Promise<void> {
    while (!this.lines.some((line) => pattern.test(line))) {
      const heard = new Promise<void>((resolve) => (this.#hear = resolve));
      const end = await Promise.race([heard, this.exited]);
      if (end !== undefined) throw new Error(`it ended with ${end} and: ${this.lines.join(' | ')}`);
    }
  }

  async interrupt(): Promise<number> {
    this.#interruption.abort();
    return this.exited;
  }
}

describe('The trial of a reader by the doctor', () => {
  let line: PluggableLine;
  beforeEach(async () => (line = await PluggableLine.create()));
  afterEach(() => line.dispose());

  it('prints the reader, the time limit, the input and its id, and exits with 0', async () => {
    using timers = new RecordedTimers();
    const trial = new RunningTrial({ reader: `serial:${line.path}?format=dec10&name=door` });
    await trial.says(/^The device is there\.$/);
    expect(timers.pending).to.include(30_000);
    await line.send(encodeFrame('010063E9AE'), encodeFrame('010063E9AE'));
    expect(await trial.exited).to.equal(0);
    expect(trial.lines).to.deep.equal([
      'Hold a tag to door; waiting 30s for it.',
      'The device is there.',
      'raw  "010063E9AE"',
      'id   0063E9AE',
    ]);
    expect(timers.pending).not.to.include(30_000);
  });

  it('prints the same for programs in one line', async () => {
    const url = `serial:${line.path}?confirm=1`;
    const trial = new RunningTrial({ reader: url, json: true });
    // Repeats the frame, like a tag held at the reader, because nothing shows when the line is open.
    const sending = setInterval(() => void line.send(encodeFrame(ADA)), 50);
    expect(await trial.exited).to.equal(0);
    clearInterval(sending);
    expect(trial.lines).to.have.length(1);
    expect(JSON.parse(trial.lines[0] ?? '')).to.deep.equal({
      ...{ reader: url, wasConnected: true, raw: ADA, id: ADA },
      ...{ looksLike: null, faults: [] },
    });
  });

  for (const timeout of ['1s', '1h']) {
    it(`waits for the given time, and then exits with 1: ${timeout}`, async () => {
      using timers = new RecordedTimers();
      const trial = new RunningTrial({ reader: `serial:${line.path}`, timeout });
      await trial.says(/is there/);
      expect(trial.lines[0]).to.match(new RegExp(`waiting ${timeout} for it`));
      timers.expire(timeout === '1s' ? 1_000 : 3_600_000);
      expect(await trial.exited).to.equal(1);
    });
  }

  for (const timeout of ['999ms', '3601s', 'soon']) {
    it(`refuses to wait ${timeout}, with a reader and without`, async () => {
      for (const flags of [{ timeout }, { timeout, reader: 'simulated:' }]) {
        expect(await failureOf(new RunningTrial(flags).exited, 'INVALID_OPTION')).to.equal(
          `--timeout: 1s to 1h; got "${timeout}"`,
        );
      }
    });
  }

  it('says that the device is missing', async () => {
    const trial = new RunningTrial({ reader: 'serial:/dev/none' });
    await trial.says(/^READER_DISCONNECTED: /);
    expect(await trial.interrupt()).to.equal(1);
    expect(trial.lines.at(-1)).to.equal('No tag was read: the device is missing.');
  });

  it('gives programs null for a missing device, text and id', async () => {
    const trial = new RunningTrial({ reader: 'serial:/dev/none', json: true, timeout: '1s' });
    expect(await trial.exited).to.equal(1);
    expect(JSON.parse(trial.lines.join(''))).to.deep.include({
      ...{ wasConnected: false, raw: null, id: null, looksLike: null },
    });
  });

  const spoken: readonly (readonly [
    what: string,
    parameters: string,
    sent: readonly Buffer[],
    heard: RegExp,
    end: RegExp,
    suggested?: string,
  ])[] = [
    ['nothing', '', [], /is there/, /^No tag was read: nothing came; check the tag, the wiring, protocol=/],
    [
      'an id only once',
      '',
      [encodeFrame(ADA)],
      /^raw/,
      /^No tag was read: the reader sent an id only once\..* confirm=1 to its URL\.$/,
    ],
    [
      'what is no id in this format',
      `?protocol=lines&pattern=${encodeURIComponent('^([A-Z]+)$')}&confirm=1`,
      [Buffer.from('HELLO\r\n')],
      /^INVALID_TALLY_ID: /,
      /^No tag was read: .* Set another format with format=, or format=text/,
      'protocol=lines&format=text',
    ],
    [
      'frames of another reader',
      '?name=door',
      [Buffer.from('62E3086CED08')],
      /^FRAME_INVALID: /,
      /^No tag was read, but this came: received bytes outside a frame \(12 bytes: #{12}\); .*; check .* baud=\.$/,
      'protocol=em18&name=door',
    ],
  ];
  for (const [what, parameters, sent, heard, end, suggested] of spoken) {
    it(`has a hint for a line with ${what}`, async () => {
      const url = `serial:${line.path}`;
      const trial = new RunningTrial({ reader: `${url}${parameters}` });
      await trial.says(/is there/);
      await line.send(...sent);
      await trial.says(heard);
      expect(await trial.interrupt()).to.equal(1);
      const last = trial.lines.findIndex((each) => each.startsWith('No tag'));
      expect(trial.lines[last]).to.match(end);
      const more = trial.lines.slice(last + 1);
      if (suggested === undefined) expect(more).to.deep.equal([]);
      else {
        expect(more.join('')).to.match(/^What came looks like .*\. Try/);
        expect(more.join('')).to.include(` Try: tallybook doctor --reader '${url}?${suggested}'`);
      }
    });
  }

  it('describes the bytes for programs, with the matching reader', async () => {
    const trial = new RunningTrial({ reader: `serial:${line.path}`, json: true, timeout: '1s' });
    const sending = setInterval(() => void line.send(Buffer.from('62E3086CED08')), 200);
    expect(await trial.exited).to.equal(1);
    clearInterval(sending);
    const { looksLike, faults } = JSON.parse(trial.lines.join('')) as {
      readonly looksLike: { readonly what: string; readonly reader: string };
      readonly faults: readonly { readonly code: string }[];
    };
    expect(looksLike.what).to.contain('EM-18');
    expect(looksLike.reader).to.equal(`serial:${line.path}?protocol=em18`);
    expect(new Set(faults.map(({ code }) => code))).to.deep.equal(new Set(['FRAME_INVALID']));
  });

  it('takes no messages from a service that reads the same topic of a broker', async () => {
    const broker = await PluggableBroker.create();
    const url = `mqtt://127.0.0.1:${broker.port}/door?client=desk`;
    const service = createReader(url, { clock: new ManualClock() });
    const readings = new Recorder(service.readings);
    const connections = new Recorder(service.connections);
    await service.open();
    await connections.count(1);
    await service.close();
    await broker.publish('door', '0006547886');
    const trial = new RunningTrial({ reader: url });
    await trial.says(/is there/);
    await broker.publish('door', ADA);
    expect(await trial.exited).to.equal(0);
    expect(trial.lines).to.include(`id   ${ADA}`).and.not.include('id   0006547886');
    await service.open();
    expect((await readings.count(2)).map(({ id }) => id)).to.deep.equal(['0006547886', ADA]);
    await service.close();
    await broker.dispose();
  });

  it('has a hint for a broker without messages, and for messages that say that there is no tag', async () => {
    const broker = await PluggableBroker.create();
    for (const [payloads, heard, end] of [
      [[], /is there/, /^No tag was read: nothing came; .* published to the topic/],
      [['00000000'], /^BLANK_TALLY_ID/, /^No tag was read: the reader says "no tag": 00000000/],
    ] as const) {
      const trial = new RunningTrial({ reader: `mqtt://127.0.0.1:${broker.port}/tags` });
      await trial.says(/is there/);
      for (const payload of payloads) await broker.publish('tags', payload);
      await trial.says(heard);
      expect(await trial.interrupt()).to.equal(1);
      expect(trial.lines.at(-1)).to.match(end);
    }
    await broker.dispose();
  });

  it('repeats each problem of the messages of a broker once', async () => {
    const broker = await PluggableBroker.create();
    const trial = new RunningTrial({ reader: `mqtt://127.0.0.1:${broker.port}/tags` });
    await trial.says(/is there/);
    for (let n = 0; n < 3; n++) await broker.publish('tags', '00000000');
    await broker.publish('tags', 'what?');
    await trial.says(/^INVALID_TALLY_ID/);
    expect(trial.lines.filter((each) => each.startsWith('BLANK_TALLY_ID'))).to.have.length(1);
    expect(await trial.interrupt()).to.equal(1);
    expect(trial.lines.at(-1)).to.match(/ Set another format with spelling=, or spelling=text/);
    await broker.dispose();
  });

  it('prints only the first twenty different inputs', async () => {
    const broker = await PluggableBroker.create();
    const trial = new RunningTrial({ reader: `mqtt://127.0.0.1:${broker.port}/tags` });
    await trial.says(/is there/);
    for (let n = 0; n < 40; n++) await broker.publish('tags', `what ${n}?`);
    await broker.publish('tags', ADA);
    expect(await trial.exited).to.equal(0);
    // The others are: the prompt for a tag, the line about the device, and the id.
    expect(trial.lines).to.have.length(23);
    expect(trial.lines.at(-1)).to.equal(`id   ${ADA}`);
    await broker.dispose();
  });
});

describe('The survey of the doctor', () => {
  const folder = temporaryFolder();

  for (const place of ['usr/sbin', 'usr/bin', 'sbin', 'usr/local/sbin']) {
    it(`finds pcscd in /${place}`, async () => {
      await mkdir(folder.path(place), { recursive: true });
      await writeFile(folder.path(place, 'pcscd'), '', { mode: 0o755 });
      const parts = await new DeviceSurvey({
        root: folder.path(),
        findHolder: () => Promise.resolve(undefined),
        readChipLabels: () => Promise.resolve(new Map()),
        listPcscReaders: () => Promise.resolve([]),
        programPath: '',
      }).find();
      const pcsc = parts.find(({ title }) => title === 'PC/SC readers');
      expect(pcsc?.hints).to.deep.equal([
        'they need the service pcscd, which is installed but does not run: start it as a service',
      ]);
    });
  }

  it('names a group by its number without a list of groups', async () => {
    const refuse = (): Promise<never> => Promise.reject(new Error('EACCES'));
    await writeFile(folder.path('line'), '', { mode: 0o660 });
    const { gid } = await stat(folder.path('line'));
    const rights = new DeviceRightsReader(folder.path('missing'), refuse);
    const access = await rights.accessTo(folder.path('line'), 'read');
    expect(access).to.have.property('why').that.includes(`the group ${gid} may use it`);
  });
});
