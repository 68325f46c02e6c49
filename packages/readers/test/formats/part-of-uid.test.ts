import { PassThrough } from 'node:stream';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { createIdFormat, createReader, PcscIdSource, type ObservableIdSource } from '../../src/index.js';
import { encodeGwiotFrame } from '../serial/decoders/gwiot-frame.js';
import { PluggableLine } from '../serial/pluggable-line.js';
import { encodePn532Target } from '../serial/decoders/pn532-frames.js';
import { encodeFrame } from '../serial/decoders/rdm6300-frame.js';
import { ScriptedPcsc, ScriptedReader, STATES } from '../pcsc/scripted-pcsc.js';
import { idsOf, problemsOf } from '../fixtures/recorded-source.js';

const clock = new ManualClock();
/** The first parts of the UIDs of two tags, 04A1B2C3D4E580 and 04A1B2FFEEDD80. */
const PART = '8804A1B2';
const WHOLE = '04A1B2C3D4E580';

describe('The first part of a UID', () => {
  let source: ObservableIdSource;
  let ids: Recorder<string>;
  let problems: Recorder<unknown>;

  async function open(reader: ObservableIdSource): Promise<void> {
    source = reader;
    ids = idsOf(reader);
    problems = problemsOf(reader);
    await reader.open();
  }

  afterEach(() => source.close());

  /** Expects that the source delivered the complete one of the two tags only. */
  async function expectOnlyWhole(): Promise<void> {
    expect(await ids.count(1)).to.deep.equal([WHOLE]);
    expect(problems.values).to.deep.equal(['a part of a UID']);
  }

  const frames: Readonly<Record<string, (uid: string) => Buffer>> = {
    pn532: (uid) => encodePn532Target(uid),
    '7941d': (uid) => encodeGwiotFrame(0x01, uid),
  };
  for (const [protocol, encode] of Object.entries(frames)) {
    it(`is refused from ${protocol}`, async () => {
      const line = await PluggableLine.create();
      await open(createReader(`serial:${line.path}?protocol=${protocol}`, { clock }));
      await line.send(encode(PART), encode(WHOLE));
      await expectOnlyWhole();
      await line.dispose();
    });
  }

  const messages: Readonly<Record<string, (uid: string) => string>> = {
    'format=tasmota': (uid) => `{"Time":"2021-01-25T15:50:32","RC522":{"UID":"${uid}","Data":""}}`,
    'format=esphome': (uid) => (uid.match(/../g) ?? []).join('-'),
    'format=plain&technology=iso14443': (uid) => uid,
  };
  for (const [parameters, encode] of Object.entries(messages)) {
    it(`is refused from MQTT with ${parameters}`, async () => {
      const broker = await PluggableBroker.create();
      const reader = createReader(`mqtt://127.0.0.1:${broker.port}/door?${parameters}`, { clock });
      const connections = new Recorder(reader.connections);
      await open(reader);
      await connections.count(1);
      await broker.publish('door', encode(PART));
      await broker.publish('door', encode(WHOLE));
      await expectOnlyWhole();
      await source.close();
      await broker.dispose();
    });
  }

  for (const uid of [PART, '8804A1B2C3D4E5', '8804A1B288C3D4E588FF']) {
    it(`is refused from PC/SC, of ${uid.length / 2} bytes too`, async () => {
      const reader = new ScriptedReader('ACS ACR122U PICC 00 00');
      await open(new PcscIdSource({ load: new ScriptedPcsc([reader]).load }, clock));
      reader.script.push(`${uid}9000`, `${WHOLE}9000`);
      reader.change(STATES.PRESENT);
      await problems.count(1);
      reader.change(STATES.EMPTY);
      reader.change(STATES.PRESENT);
      await expectOnlyWhole();
    });
  }

  it('is refused from text, if the URL says that tags are of ISO/IEC 14443', async () => {
    const stdin = new PassThrough();
    await open(createReader('stdin:?technology=iso14443', { clock, stdin }));
    stdin.write(`${PART}\n${WHOLE}\n`);
    await expectOnlyWhole();
  });

  it('is detected in the right byte order, and before an id is cut', async () => {
    const stdin = new PassThrough();
    await open(createReader('stdin:?technology=iso14443&order=reversed&keep=4', { clock, stdin }));
    // In the right order of bytes: 8804A1B2, 01020388, and 04A1B288C3D4E5. The last four bytes of the third begin with
    // 88.
    stdin.write('B2A10488\n88030201\nE5D4C388B2A104\n');
    expect(await ids.count(2)).to.deep.equal(['01020388', '88C3D4E5']);
    expect(problems.values).to.deep.equal(['a part of a UID']);
  });

  it('gives a fault with advice, without the id', async () => {
    const stdin = new PassThrough();
    const reader = createReader('stdin:?technology=iso14443', { clock, stdin });
    const messages = new Recorder({
      subscribe: (next) => reader.faults.subscribe(({ error }) => next(error.message)),
    });
    await open(reader);
    stdin.write(`${PART}\n`);
    const [message] = await messages.count(1);
    expect(message).to.contain('begins with 88').and.contain('use another reader');
    expect(message).to.not.contain('04A1B2');
  });
});

describe('An id of another kind that begins with 88 is delivered', () => {
  const NUMBER = '8804A1B2C3';

  const frames: Readonly<Record<string, Buffer>> = {
    id12: encodeFrame(NUMBER),
    '7941d': encodeGwiotFrame(0x02, NUMBER),
    lines: Buffer.from(`${NUMBER}\r\n`),
  };
  for (const [protocol, frame] of Object.entries(frames)) {
    it(`from ${protocol}: the number of an EM4100 tag`, async () => {
      const line = await PluggableLine.create();
      const reader = createReader(`serial:${line.path}?protocol=${protocol}`, { clock });
      const ids = idsOf(reader);
      await reader.open();
      await line.send(frame);
      expect(await ids.count(1)).to.deep.equal([NUMBER]);
      await reader.close();
      await line.dispose();
    });
  }

  it('from PC/SC: an id of 8 bytes, as in ISO/IEC 15693', async () => {
    const card = new ScriptedReader('ACS ACR1552 00 00');
    const pcsc = new PcscIdSource({ load: new ScriptedPcsc([card]).load }, clock);
    const found = idsOf(pcsc);
    await pcsc.open();
    card.script.push('88332211500140E09000');
    card.change(STATES.PRESENT);
    expect(await found.count(1)).to.deep.equal(['88332211500140E0']);
    await pcsc.close();
  });
});

describe('A random UID', () => {
  it('is recognised in the right byte order', async () => {
    const stdin = new PassThrough();
    const reader = createReader('stdin:?technology=iso14443&order=reversed', { clock, stdin });
    const codes = new Recorder({
      subscribe: (next) => reader.faults.subscribe(({ error }) => next(error.code)),
    });
    const ids = idsOf(reader);
    await reader.open();
    stdin.write('08C3B2A1\nC3B2A108\n');
    expect(await ids.count(2)).to.deep.equal(['A1B2C308', '08A1B2C3']);
    expect(codes.values).to.deep.equal(['UNSTABLE_TALLY_ID']);
    await reader.close();
  });
});

describe('createIdFormat', () => {
  it('gives the technology of its tags', () => {
    expect(createIdFormat({ technology: 'iso14443' }).technology).to.equal('iso14443');
    expect(createIdFormat().technology).to.equal(undefined);
  });
});
