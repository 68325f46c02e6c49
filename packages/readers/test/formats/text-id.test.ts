import { createIdFormat as createDomainFormat, isTallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { createIdFormat, createReader, HidIdSource, type ObservableIdSource } from '../../src/index.js';
import { normalisedBy } from '../../../domain/test/fixtures/normalised.js';
import { EvtestStandIn } from '../hid/evtest-stand-in.js';
import { PluggableLine } from '../serial/pluggable-line.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { idsOf, problemsOf } from '../fixtures/recorded-source.js';

const format = createIdFormat({ spelling: 'text' });

/** The id from a text, or the error code. */
function idOf(text: string): string {
  try {
    return format.fromText(text);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return error.code;
  }
}

/** A card whose last byte in Latin 1 would be white space. */
const CARD = 'M-4711 à';
const CARD_ID = '85A4622D7A7729FC0C68';

describe('The format "text"', () => {
  /** Outputs of `printf %s TEXT | sha256sum | cut -c1-20`: documented, so they must never change. */
  const vectors: readonly (readonly [text: string, id: string])[] = [
    ['M-004711', '9263E6C9228C4B4E188C'],
    ['Zo\u00EB', 'C6A12698582FC1104EA2'],
    ['https://club.example/m/4711?k=A b', 'B11A26254B84981E3D9D'],
    ['E28011606000020A1B2C3D4E', 'AF5D931F2875B6B5459E'],
    ['e28011606000020a1b2c3d4e', '76EC78258A7687402165'],
    [CARD, CARD_ID],
  ];
  for (const [text, id] of vectors) {
    it(`makes ${id} of ${JSON.stringify(text)}`, () => {
      expect(idOf(text)).to.equal(id);
    });
  }

  it('makes the same id from all Unicode forms of a text, and ignores white space around it', () => {
    expect(idOf('Zoe\u0308')).to.equal(idOf('Zo\u00EB'));
    expect(idOf('\u00A0 M-004711\t')).to.equal(idOf('M-004711'));
  });

  it('accepts as much text as a QR code holds, and does not bring longer text to NFC: V8 takes seconds for 130,000 marks', () => {
    expect(idOf('x'.repeat(4_300))).to.match(/^[0-9A-F]{20}$/);
    const lengths = normalisedBy(() => {
      for (const text of ['x'.repeat(4_301), `a${'\u0300\u0316'.repeat(65_000)}`]) {
        expect(idOf(text)).to.equal('INVALID_TALLY_ID');
      }
    });
    expect(lengths).to.deep.equal([]);
  });

  it('accepts 30 marks in a row, more than any script has, and does not bring more marks to NFC', () => {
    expect(idOf(`a${'\u0300\u0316'.repeat(15)}b${'\u0316'.repeat(30)}`)).to.match(/^[0-9A-F]{20}$/);
    const lengths = normalisedBy(() => {
      expect(idOf(`ab${'\u0300\u0316'.repeat(15)}\u0300`)).to.equal('INVALID_TALLY_ID');
    });
    expect(lengths).to.deep.equal([]);
  });

  it('makes different ids from texts that differ in case, spaces or order', () => {
    const texts = ['M-4711', 'm-4711', 'M-47 11', 'M -4711', 'M-4711.', 'M-1174'];
    expect(new Set(texts.map(idOf)).size).to.equal(texts.length);
  });

  it('refuses an empty text, and one with replacement characters', () => {
    const refused = [
      '',
      ' \t',
      'a\u0000b',
      'a\tb',
      'a\uFFFDb',
      'a\uD800b',
      'a\uFFFFb',
      'a\u0378b',
      'a\u001Db',
    ];
    for (const text of refused) expect(idOf(text), JSON.stringify(text)).to.equal('INVALID_TALLY_ID');
  });

  it('makes no id from bytes', () => {
    expect(() => format.fromBytes(Uint8Array.of(1, 2, 3, 4)))
      .to.throw('needs a reader that delivers text')
      .with.property('code', 'INVALID_TALLY_ID');
  });

  it('refuses the options order, keep and technology', () => {
    for (const option of [{ order: 'straight' }, { keep: 4 }, { technology: 'iso14443' }] as const) {
      expect(() => createIdFormat({ spelling: 'text', ...option }))
        .to.throw('is for ids of bytes, not for ids of text')
        .with.property('code', 'INVALID_OPTION');
    }
  });

  const without = ['serial:/dev/a', 'serial:/dev/a?protocol=pn532', 'wiegand:gpiochip0?d0=1&d1=2', 'pcsc:'];
  for (const url of without) {
    it(`is refused for ${url}, which delivers bytes`, () => {
      const whole = `${url}${url.includes('?') ? '&' : '?'}format=text`;
      expect(() => createReader(whole, { clock: new ManualClock() })).to.throw('got "text"');
    });
  }
});

describe('With the format "text" one card has one id', () => {
  const clock = new ManualClock();

  async function opened(reader: ObservableIdSource): Promise<Recorder<string>> {
    const ids = idsOf(reader);
    const connections = new Recorder(reader.connections);
    await reader.open();
    await connections.count(1);
    return ids;
  }

  it('on a serial line, with a pattern and without', async () => {
    for (const [parameters, text] of [
      ['', CARD],
      ['&pattern=%5Ecard%20(.*)$', `card ${CARD}`],
    ] as const) {
      const line = await PluggableLine.create();
      const reader = createReader(`serial:${line.path}?protocol=lines&format=text${parameters}`, { clock });
      const ids = await opened(reader);
      await line.send(Buffer.from(`${text}\r\n`));
      expect(await ids.count(1)).to.deep.equal([CARD_ID]);
      await reader.close();
      await line.dispose();
    }
  });

  it('on a keyboard reader, for characters that it can type', async () => {
    const evtest = new EvtestStandIn();
    const path = '/dev/input/event3';
    const reader = new HidIdSource({ path, silenceMs: 1_000, format }, new RunningClock());
    const problems = problemsOf(reader);
    const ids = await opened(reader);
    evtest.type('M-004711\n');
    expect(await ids.count(1)).to.deep.equal(['9263E6C9228C4B4E188C']);
    await evtest.typeAll(`${'1'.repeat(1_001)}\n`);
    expect(await problems.count(1)).to.deep.equal(['too many characters']);
    await evtest.typeAll(`${'1'.repeat(1_000)}\n`);
    expect(await ids.count(2)).to.include(idOf('1'.repeat(1_000)));
    await reader.close();
    evtest.dispose();
  });

  it('and bytes that are no UTF-8 are a fault, not another card', async () => {
    const line = await PluggableLine.create();
    const reader = createReader(`serial:${line.path}?protocol=lines&format=text`, { clock });
    const codes = new Recorder({
      subscribe: (next) => reader.faults.subscribe(({ error }) => next(error.code)),
    });
    const ids = await opened(reader);
    await line.send(Buffer.from('M-4711 \xe4\r\n', 'latin1'));
    expect(await codes.count(1)).to.deep.equal(['INVALID_TALLY_ID']);
    expect(ids.values).to.be.empty;
    await reader.close();
    await line.dispose();
  });

  it('hashes the hash once more if the id would stand for a person without a tag', () => {
    const reserved = 'ff5442' + 'a1'.repeat(29);
    const hashed: string[] = [];
    const digest = (text: string): string => {
      hashed.push(text);
      return text === reserved ? '04' + 'b2'.repeat(31) : reserved;
    };
    expect(createDomainFormat({ spelling: 'text' }, digest).fromText('Ada')).to.equal('04' + 'B2'.repeat(9));
    expect(hashed).to.deep.equal(['Ada', reserved]);
  });
});
