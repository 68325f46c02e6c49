import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { decodeDay, decodeEntry, decodeName, decodeProvisional } from '../../src/rows/codec.js';
import {
  dayKey,
  dayOfDayKey,
  provisionalKey,
  scanKey,
  scanOfKey,
  sequenceOfKey,
} from '../../src/rows/keys.js';
import { encodeNumbers, NumberReader } from '../../src/leveldb-files/numbers.js';
import { isSealed, seal, unseal } from '../../src/rows/seal.js';

const ada = parseTallyId('04A2B3C4D5');
const at = toTimestamp(1_763_500_000);
const withByte = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.of(0)]);

describe('Stored numbers', () => {
  for (const [number, hex] of [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [129, '8101'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ] as const) {
    it(`are ${hex} for ${number}`, () => {
      expect(encodeNumbers(number).toString('hex')).to.equal(hex);
      expect(new NumberReader(Buffer.from(hex, 'hex')).next()).to.equal(number);
    });
  }

  it('are refused if they are too large, cut, or followed by other bytes', () => {
    for (const hex of ['ffffffffffffff1f', '8080808080808010', '80', '']) {
      expect(() => new NumberReader(Buffer.from(hex, 'hex')).next(), hex).to.throw(RangeError);
    }
    expect(() => decodeDay(Buffer.of(1, 2))).to.throw(RangeError);
    expect(() => decodeEntry(ada, encodeNumbers(0, 1, 0, 1, 1))).to.throw(RangeError);
    expect(() => decodeEntry(ada, encodeNumbers(0, 1, 0, 0))).to.throw(RangeError);
  });
});

describe('Stored names', () => {
  it('are exactly UTF-8 without a byte order mark', () => {
    const json = Buffer.from('{"first":"Ada","last":""}');
    expect(decodeName(json)).to.deep.equal({ first: 'Ada', last: '' });
    expect(() => decodeName(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), json]))).to.throw(SyntaxError);
    expect(() => decodeName(Buffer.from('{"first":"Ad\xff","last":""}', 'latin1'))).to.throw(TypeError);
  });
});

describe('Stored provisional scans', () => {
  const scan = { id: ada, reader: 'door', bootId: 'one', monotonicMs: 1.5, shown: at, notBefore: at };
  const filing = { day: toDay(1), at, isRecorded: false, estimate: { earliest: 1, latest: 2 } };
  const row = { ...scan, filing };

  for (const [what, wrong] of Object.entries({
    'is no JSON': '{',
    'is no object': 'null',
    'has no tag': JSON.stringify({ ...row, id: undefined }),
    'has a tag that is none': JSON.stringify({ ...row, id: '01' }),
    'has no reader': JSON.stringify({ ...row, reader: 7 }),
    'has no run': JSON.stringify({ ...row, bootId: undefined }),
    'has no moment': JSON.stringify({ ...row, monotonicMs: null }),
    'has half a second': JSON.stringify({ ...row, shown: 0.5 }),
    'has no earliest time': JSON.stringify({ ...row, notBefore: -1 }),
    'has a filing that is none': JSON.stringify({ ...row, filing: null }),
    'has a filing without a day': JSON.stringify({ ...row, filing: { ...filing, day: 2 ** 32 } }),
    'has a filing without a time': JSON.stringify({ ...row, filing: { ...filing, at: '1' } }),
    'has a filing that may be recorded': JSON.stringify({ ...row, filing: { ...filing, isRecorded: 1 } }),
    'has half an estimate': JSON.stringify({ ...row, filing: { ...filing, estimate: { earliest: 1 } } }),
  })) {
    it(`are refused when one ${what}`, () => {
      expect(() => decodeProvisional(3, Buffer.from(wrong))).to.throw();
    });
  }
});

describe('Stored keys', () => {
  it('are refused with an additional byte', () => {
    expect(() => scanOfKey(withByte(scanKey(toDay(1), ada, at)))).to.throw(RangeError);
    expect(() => dayOfDayKey(withByte(dayKey(toDay(1))))).to.throw(RangeError);
    expect(() => sequenceOfKey(withByte(provisionalKey(1)))).to.throw(RangeError);
  });
});

describe('The seal of a row', () => {
  const [key, value] = [Buffer.from('key'), Buffer.from('value')];
  const sealed = seal(key, value);

  it('is four bytes after the value, and gives it back', () => {
    expect(sealed).to.have.length(value.length + 4);
    expect(unseal(key, sealed)).to.deep.equal(value);
    expect(unseal(key, seal(key, Buffer.alloc(0)))).to.deep.equal(Buffer.alloc(0));
    expect(isSealed(key, sealed)).to.equal(true);
  });

  it('is wrong for another key, a changed byte, and a missing byte', () => {
    expect(isSealed(Buffer.from('kez'), sealed)).to.equal(false);
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(isSealed(key, changed), `byte ${index}`).to.equal(false);
      expect(() => unseal(key, changed), `byte ${index}`).to.throw(RangeError);
    }
    expect(isSealed(key, sealed.subarray(1))).to.equal(false);
    expect(isSealed(key, Buffer.alloc(2))).to.equal(false);
  });
});
