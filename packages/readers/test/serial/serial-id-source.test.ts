import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseTallyId } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import {
  createIdFormat,
  frameDecoders,
  SerialIdSource,
  type FrameDecoder,
  type SerialOptions,
} from '../../src/index.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { RecordedSource } from '../fixtures/recorded-source.js';
import { PluggableLine } from './pluggable-line.js';
import { encodeFrame } from './decoders/rdm6300-frame.js';

const ADA = '62E3086CED';
const BOB = '010063E9AE';

type Subject = RecordedSource<SerialIdSource>;
let clock: ManualClock;
/** All sources of a test; closed after it. */
const sources: SerialIdSource[] = [];

function record(path: string, options: Partial<SerialOptions> = {}): Subject {
  const subject = new RecordedSource(
    (retryDelayMs) => new SerialIdSource({ path, retryDelayMs, ...options }, clock),
  );
  sources.push(subject.source);
  return subject;
}

async function open(path: string, options?: Partial<SerialOptions>): Promise<Subject> {
  const subject = record(path, options);
  await subject.source.open();
  return subject;
}

describe('SerialIdSource', () => {
  let line: PluggableLine;

  beforeEach(async () => {
    clock = new ManualClock();
    line = await PluggableLine.create();
  });

  afterEach(async () => {
    for (const source of sources.splice(0)) await source.close();
    await line.dispose();
  });

  describe('when its line is there', () => {
    const opened = (options?: Partial<SerialOptions>): Promise<Subject> => open(line.path, options);

    it('makes a reading from two equal frames', async () => {
      const { ids } = await opened();
      await line.send(encodeFrame(ADA), encodeFrame(BOB), encodeFrame(BOB));
      expect(await ids.count(1)).to.deep.equal([BOB]);
    });

    it('makes a reading from each frame with confirm=1', async () => {
      const { ids } = await opened({ confirm: 1 });
      await line.send(encodeFrame(ADA), encodeFrame(BOB));
      expect(await ids.count(2)).to.deep.equal([ADA, BOB]);
    });

    it('reports each broken frame and continues', async () => {
      const { ids, faults } = await opened({ confirm: 1 });
      const broken = Buffer.from('\x0262E3086CED09\x03', 'latin1');
      await line.send(broken, broken, encodeFrame('0000000000'), encodeFrame(ADA));
      expect(await ids.count(1)).to.deep.equal([ADA]);
      expect(faults.values.map(({ code }) => code)).to.deep.equal([
        'FRAME_INVALID',
        'FRAME_INVALID',
        'BLANK_TALLY_ID',
      ]);
    });

    it('reports an incomplete frame when the line is silent, without another byte', async () => {
      const { faults } = await opened();
      const ticking = setInterval(() => clock.advance(10), 1);
      await line.send(encodeFrame(ADA).subarray(0, 12));
      const [fault] = await faults.count(1).finally(() => clearInterval(ticking));
      expect(fault?.message).to.contain('a frame without its end (12 bytes: 02 ###########)');
    });

    it('calls a decoder once for each silence, the one after the line was opened too', async () => {
      let silences = 0;
      const createDecoder = (): FrameDecoder => ({
        silenceMs: 50,
        push: () => [{ text: ADA }],
        silence: () => {
          silences++;
          return [];
        },
      });
      const { ids } = await opened({ confirm: 1, createDecoder });
      const pass = async (milliseconds: number): Promise<number> => {
        clock.advance(milliseconds);
        await nextTurn();
        return silences;
      };
      expect([await pass(49), await pass(1), await pass(1_000)]).to.deep.equal([0, 1, 1]);
      await line.send(Uint8Array.of(1));
      await ids.count(1);
      expect([await pass(49), await pass(1), await pass(1_000)]).to.deep.equal([1, 2, 2]);
      await line.send(Uint8Array.of(1));
      await ids.count(2);
      await sources.at(-1)?.close();
      expect(await pass(1_000)).to.equal(2);
    });

    it('reads another protocol with another decoder', async () => {
      const createDecoder = (): {
        push: (chunk: Uint8Array) => { id: ReturnType<typeof parseTallyId> }[];
      } => ({
        push: (chunk) => [...chunk].map((byte) => ({ id: parseTallyId(`A0B0C0${byte.toString(16)}`) })),
      });
      const { ids } = await opened({ confirm: 1, createDecoder });
      await line.send(Uint8Array.of(0x11, 0x22));
      expect(await ids.count(2)).to.deep.equal(['A0B0C011', 'A0B0C022']);
    });

    it('makes ids from bytes and text by its format, before it counts equal frames', async () => {
      const format = createIdFormat({ spelling: 'dec10' });
      const { ids } = await opened({ format });
      await line.send(encodeFrame('010063E9AE'), encodeFrame('020063E9AE'));
      expect(await ids.count(1)).to.deep.equal(['0063E9AE']);
      const { lines: createDecoder } = frameDecoders;
      await sources.at(-1)?.close();
      const text = await opened({ format, confirm: 1, createDecoder });
      await line.send(Buffer.from('Ada\n6547886\n0006547886\n'));
      expect(await text.ids.count(1)).to.deep.equal(['0063E9AE']);
      expect(text.faults.values.map(({ code }) => code)).to.deep.equal([
        'INVALID_TALLY_ID',
        'INVALID_TALLY_ID',
      ]);
    });

    it('gives advice once when only errors come', async () => {
      const { faults, ids } = await opened({ confirm: 1 });
      const broken = Buffer.from('\x0262E3086CED09\x03', 'latin1');
      await line.send(broken, broken, broken, encodeFrame('0000000000'));
      await faults.count(4);
      clock.advance(10_000);
      await line.send(broken, broken);
      const messages = (await faults.count(7)).map(({ message }) => message);
      expect(messages.filter((message) => message.startsWith('only errors for'))).to.have.length(1);
      expect(messages[5]).to.contain('for 10 s: 4 × a frame with a wrong checksum, 1 × BLANK_TALLY_ID');
      await line.send(encodeFrame(ADA), broken, broken, broken, broken);
      await faults.count(11);
      clock.advance(10_000);
      await line.send(broken);
      expect((await faults.count(13))[12]?.message).to.contain('5 × a frame with a wrong checksum');
      expect(ids.values).to.deep.equal([ADA]);
    });

    it('delivers no data from before its opening', async () => {
      await line.send(encodeFrame(ADA), encodeFrame(ADA));
      const { ids } = await opened({ confirm: 1 });
      await line.send(encodeFrame(BOB));
      expect(await ids.count(1)).to.deep.equal([BOB]);
    });

    it('locks the line, and a second reader gets a fault', async () => {
      const first = await opened();
      const second = await opened();
      expect(second.source.connection).to.equal('waiting');
      expect(second.problems.values).to.deep.equal(['busy']);
      expect(second.faults.values[0]?.message).to.contain(`this program (${process.pid})`);
      await first.source.close();
      await second.connected(1);
    });

    it('leaves nothing open when it is closed', async () => {
      const { source } = await opened();
      expect(line.countUsers()).to.equal(1);
      await source.close();
      expect(line.countUsers()).to.equal(0);
    });
  });

  describe('when its line is lost', () => {
    it('reports that once, with advice', async () => {
      const subject = await open(line.path);
      await line.unplug();
      await subject.attempts.count(20);
      expect(subject.problems.values).to.deep.equal(['lost']);
      const [fault] = subject.faults.values;
      expect(fault).to.include({ code: 'READER_DISCONNECTED' });
      expect(fault?.message).to.equal(`${line.path} was lost; plug the reader in again`);
      expect(fault?.cause).to.be.an('error');
    });

    it('continues when the line is back, and reports once a line that comes and goes', async () => {
      const subject = await open(line.path);
      for (let cycle = 1; cycle <= 20; cycle++) {
        await subject.connected(cycle);
        await line.send(encodeFrame(ADA), encodeFrame(ADA));
        await subject.ids.count(cycle);
        await line.unplug();
        await line.plug();
      }
      await subject.connected(21);
      expect(line.countUsers()).to.equal(1);
      expect(subject.ids.values).to.have.length(20);
      expect(subject.problems.values).to.deep.equal(['lost']);
      await subject.source.close();
      expect(line.countUsers()).to.equal(0);
    });

    it('notices a loss together with the latest bytes', async () => {
      const subject = await open(line.path, { confirm: 1 });
      await line.send(encodeFrame(ADA));
      await subject.ids.count(1);
      await line.unplug();
      await subject.connections.find('waiting', (connection) => connection === 'waiting');
      expect(subject.problems.values).to.deep.equal(['lost']);
    });

    it('forgets half a frame', async () => {
      const subject = record(line.path, { confirm: 1 });
      const frame = encodeFrame(ADA);
      await subject.source.open();
      // The fault of the broken frame shows that the half frame after it was read too.
      await line.send(Buffer.from('\x02\x03'), frame.subarray(0, 6));
      await subject.faults.count(1);
      await line.unplug();
      await line.plug();
      await subject.connected(2);
      await line.send(frame.subarray(6), encodeFrame(BOB));
      expect(await subject.ids.count(1)).to.deep.equal([BOB]);
    });

    it('forgets a frame that was not confirmed', async () => {
      const subject = await open(line.path);
      await line.send(encodeFrame(ADA), Buffer.from('\x02\x03'));
      await subject.faults.count(1);
      await line.unplug();
      await line.plug();
      await subject.connected(2);
      await line.send(encodeFrame(ADA), encodeFrame(BOB), encodeFrame(BOB));
      expect(await subject.ids.count(1)).to.deep.equal([BOB]);
    });

    it('counts its attempts anew after a loss, and continues the count if the line was lost shortly before', async () => {
      const subject = await open(line.path);
      await line.unplug();
      await subject.attempts.count(3);
      await line.plug();
      await subject.connected(2);
      const before = subject.attempts.values.length;
      await line.unplug();
      await subject.attempts.count(before + 2);
      expect(subject.attempts.values.slice(0, 3)).to.deep.equal([1, 2, 3]);
      expect(subject.attempts.values.slice(before, before + 2)).to.deep.equal([2, 3]);
    });
  });

  describe('when there is no line', () => {
    const folder = useTempDirectory();

    const fails = async (path: string, reason: string): Promise<void> => {
      const subject = await open(path);
      expect(subject.source.status).to.equal('open');
      expect(subject.source.connection).to.equal('waiting');
      await subject.attempts.count(5);
      expect(subject.problems.values).to.deep.equal([reason]);
      expect(subject.faults.values[0]?.message).to.contain(path);
      expect(subject.connections.values).to.be.empty;
    };

    it('says that a path that does not exist is not there', () =>
      fails(join(folder.path, 'none'), 'missing'));

    it('says that a path below a file is not there', () => fails('/dev/null/line', 'missing'));

    it('says that /dev/null is not a serial line', () => fails('/dev/null', 'not-serial'));

    it('says that a folder is not a serial line', () => fails(folder.path, 'not-serial'));

    it('says that a file is not a serial line, and does not change it', async () => {
      const path = join(folder.path, 'file');
      await writeFile(path, '');
      await fails(path, 'not-serial');
    });

    it('reports each new reason once', async () => {
      const path = join(folder.path, 'line');
      const subject = await open(path);
      await writeFile(path, '');
      await subject.faults.count(2);
      await rm(path);
      await subject.attempts.count(subject.attempts.values.length + 3);
      expect(subject.problems.values).to.deep.equal(['missing', 'not-serial']);
    });

    it('asks for the delay before each attempt, counted from 1', async () => {
      const subject = await open(join(folder.path, 'none'));
      expect((await subject.attempts.count(8)).slice(0, 8)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    });

    it('closes without waiting for the next attempt', async () => {
      const subject = await open(join(folder.path, 'none'), { retryDelayMs: () => 86_400_000 });
      await subject.source.close();
      expect(subject.source.status).to.equal('closed');
    });
  });

  it('opens without its line, reports that, and reads when it is plugged in', async () => {
    await line.unplug();
    const subject = await open(line.path, { confirm: 1 });
    expect(subject.problems.values).to.deep.equal(['missing']);
    await line.plug();
    await subject.connected(1);
    await line.send(encodeFrame(ADA));
    expect(await subject.ids.count(1)).to.deep.equal([ADA]);
    expect(subject.problems.values).to.deep.equal(['missing']);
  });

  describe('when an option is wrong', () => {
    const wrong: readonly (readonly [Partial<SerialOptions>, string])[] = [
      [{ path: '' }, 'such as /dev/ttyUSB0'],
      [{ path: '/dev/tty\0' }, 'such as /dev/ttyUSB0'],
      [{ baudRate: 109 }, 'baud is a whole number from 110 to 4000000; got 109'],
      [{ baudRate: NaN }, 'baud is a whole number from 110 to 4000000; got NaN'],
      [{ name: '' }, 'name is 1 to 100 characters'],
      [{ name: 'a\nb' }, 'name is 1 to 100 characters'],
    ];
    for (const [options, message] of wrong) {
      it(`refuses ${JSON.stringify(options)}`, () => {
        expect(() => record('/dev/ttyUSB0', options))
          .to.throw(message)
          .with.property('code', 'INVALID_OPTION');
      });
    }
  });
});
