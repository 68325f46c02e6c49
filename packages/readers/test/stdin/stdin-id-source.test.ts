import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { createIdFormat, StdinIdSource } from '../../src/index.js';
import { idsOf } from '../fixtures/recorded-source.js';

const ADA = '04A2B3C4D5';
const BOB = '0006547886';

class Subject {
  readonly stream = new PassThrough();
  readonly source = new StdinIdSource({ stream: this.stream }, new ManualClock());
  readonly ids = idsOf(this.source);
  readonly faults = new Recorder<string>({
    subscribe: (next) => this.source.faults.subscribe(({ error }) => next(`${error.code} ${error.message}`)),
  });
  readonly connections = new Recorder(this.source.connections);

  /** Sends the chunks, then a known id. Resolves with everything that came before that id. */
  async read(...chunks: (string | Uint8Array)[]): Promise<readonly string[]> {
    for (const chunk of chunks) this.stream.write(chunk);
    this.stream.write('7F00000001\n');
    await this.ids.find('7F00000001', (id) => id === '7F00000001');
    return this.ids.values.slice(0, -1);
  }
}

describe('StdinIdSource', () => {
  let subject: Subject;

  beforeEach(async () => {
    subject = new Subject();
    await subject.source.open();
  });

  afterEach(() => subject.source.close());

  const sound: readonly (readonly [what: string, chunks: readonly string[], ids: readonly string[]])[] = [
    [
      'reads one id a line in every spelling of an id',
      ['04a2b3c4d5\n04:A2:B3:C4:D5\n04-a2-b3-c4-d5\n04 A2 B3 C4 D5\n'],
      [ADA, ADA, ADA, ADA],
    ],
    [
      'reads lines that end with CR LF, or have white space around the id',
      [`${ADA}\r\n \t${BOB}  \r\n`],
      [ADA, BOB],
    ],
    ['ignores empty lines', ['\n\r\n   \n', `${ADA}\n\n`], [ADA]],
    ['ignores a byte order mark', [`\uFEFF${ADA}\n`], [ADA]],
    ['reads a line that comes in pieces', `${ADA}\r\n${BOB}\n`.split(/(?=.)/s), [ADA, BOB]],
    [
      'reads lines that end with CR, with LF or with both',
      [`${ADA}\r${BOB}\r`, `${BOB}\r`, `\n${ADA}\n`],
      [ADA, BOB, BOB, ADA],
    ],
    ['reads a line of 1,000 characters', [`${ADA}${' '.repeat(990)}\n`], [ADA]],
  ];
  for (const [what, chunks, ids] of sound) {
    it(what, async () => {
      expect(await subject.read(...chunks)).to.deep.equal(ids);
      expect(subject.faults.values).to.be.empty;
    });
  }

  it('reads ids in the format that is set', async () => {
    const stream = new PassThrough();
    const format = createIdFormat({ spelling: 'dec10' });
    const source = new StdinIdSource({ stream, format }, new ManualClock());
    const readings = new Recorder(source.readings);
    await source.open();
    stream.write(`${ADA}\n0006547886\n`);
    const [reading] = await readings.count(1);
    await source.close();
    expect(reading?.id).to.equal('0063E9AE');
  });

  it('reads a flood in turns with other work, and keeps its order', async () => {
    const flood = Array.from({ length: 5_000 }, (_, n) => (0xab0000 + n).toString(16).toUpperCase());
    let atNextTurn = 0;
    const first = new Promise<void>((resolve) => {
      const subscription = subject.source.readings.subscribe(() => {
        subscription.unsubscribe();
        setImmediate(() => {
          atNextTurn = subject.ids.values.length;
          resolve();
        });
      });
    });
    const ids = await subject.read(flood.map((id) => `${id}\n`).join(''));
    await first;
    expect(ids).to.deep.equal(flood);
    expect(atNextTurn).to.be.within(1, 600);
  });

  it('continues to read a flood after closing and opening', async () => {
    const flood = Array.from({ length: 5_000 }, (_, n) => (0xab0000 + n).toString(16).toUpperCase());
    subject.stream.write(flood.map((id) => `${id}\n`).join(''));
    await subject.ids.count(1);
    await subject.source.close();
    const { length } = subject.ids.values;
    expect(length).to.be.below(flood.length);
    await subject.source.open();
    expect(await subject.read()).to.deep.equal(flood);
  });

  it('reads from a stream that gives text', async () => {
    subject.stream.setEncoding('utf8');
    expect(await subject.read(`${ADA}\n`)).to.deep.equal([ADA]);
  });

  it('reports a line that is no id and goes on', async () => {
    expect(await subject.read(`Ada\n${ADA}\n12\n`)).to.deep.equal([ADA]);
    expect(subject.faults.values).to.have.length(2);
    expect(subject.faults.values[0]).to.match(/^INVALID_TALLY_ID .*got 3 characters/);
  });

  it('reports a line that is no UTF-8 and goes on', async () => {
    expect(await subject.read(Uint8Array.of(0xc3, 0x28, 0xff, 0x0a), `${ADA}\n`)).to.deep.equal([ADA]);
    expect(subject.faults.values).to.have.length(1);
    expect(subject.faults.values[0]).to.match(/^INVALID_TALLY_ID /);
  });

  it('reports a line of 1,001 characters', async () => {
    await subject.read(`${BOB}${' '.repeat(991)}\n`);
    expect(subject.faults.values).to.have.length(1);
  });

  it('reports a line of more than 1,000 characters once, before it ends, and goes on after it', async () => {
    for (let piece = 0; piece < 100; piece++) subject.stream.write('A'.repeat(1_000));
    expect(await subject.faults.count(1)).to.have.length(1);
    expect(await subject.read(`\n${ADA}\n`)).to.deep.equal([ADA]);
    expect(subject.faults.values).to.have.length(1);
    expect(subject.faults.values[0]).to.match(/^INVALID_TALLY_ID .* more than 1000 characters/);
  });

  it('reads a last line that does not end, then reports that the input ended and waits', async () => {
    subject.stream.end(`${BOB}\n${ADA}`);
    await subject.connections.find('waiting', (connection) => connection === 'waiting');
    expect(subject.ids.values).to.deep.equal([BOB, ADA]);
    expect(subject.faults.values).to.have.length(1);
    expect(subject.faults.values[0]).to.match(/^READER_DISCONNECTED standard input ended/);
    expect(subject.connections.values).to.deep.equal(['connected', 'waiting']);
    expect(subject.source.status).to.equal('open');
  });

  it('reports a last line that is cut within a character', async () => {
    subject.stream.end(Uint8Array.of(0xc3));
    await subject.connections.find('waiting', (connection) => connection === 'waiting');
    expect(subject.faults.values[0]).to.match(/^INVALID_TALLY_ID /);
  });

  it('reports a failing input once, and waits', async () => {
    subject.stream.destroy(new Error('EIO'));
    await subject.connections.find('waiting', (connection) => connection === 'waiting');
    await subject.source.close();
    expect(subject.faults.values).to.have.length(1);
    expect(subject.faults.values[0]).to.match(/^READER_DISCONNECTED standard input failed/);
  });

  it('reports an input that is closed before its end and waits', async () => {
    subject.stream.destroy();
    await subject.connections.find('waiting', (connection) => connection === 'waiting');
    expect(subject.faults.values[0]).to.match(/^READER_DISCONNECTED standard input was closed/);
  });

  it('opens and waits if the input has already ended', async () => {
    subject.stream.end();
    await subject.connections.find('waiting', (connection) => connection === 'waiting');
    await subject.source.close();
    await subject.source.open();
    expect(subject.source.connection).to.equal('waiting');
    expect(subject.faults.values).to.have.length(2);
    expect(subject.faults.values[1]).to.match(/^READER_DISCONNECTED standard input has ended/);
  });

  it('releases the stream when it is closed', async () => {
    const events = ['data', 'end', 'error', 'close'];
    const count = (): number[] => events.map((event) => subject.stream.listenerCount(event));
    const whileOpen = count();
    await subject.source.close();
    expect(subject.stream.isPaused()).to.equal(true);
    expect(count()).to.deep.equal(whileOpen.map((listeners) => listeners - 1));
  });

  it('joins a line across closing and opening', async () => {
    const taken = once(subject.stream, 'data');
    subject.stream.write('04A2');
    await taken;
    await subject.source.close();
    await subject.source.open();
    expect(await subject.read('B3C4D5\n')).to.deep.equal([ADA]);
  });

  it('reads input from the time when it was closed after its opening', async () => {
    await subject.source.close();
    subject.stream.write(`${ADA}\n`);
    await subject.source.open();
    expect(await subject.read()).to.deep.equal([ADA]);
  });
});
