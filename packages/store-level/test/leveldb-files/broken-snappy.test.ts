import { expect } from 'chai';
import { decompressBack, decompressFront } from '../../src/leveldb-files/broken-snappy.js';

const literal = (text: string): Buffer =>
  Buffer.concat([Buffer.of((text.length - 1) << 2), Buffer.from(text)]);
const copy = (length: number, distance: number): Buffer => Buffer.of(((length - 1) << 2) | 2, distance, 0);
const block = (size: number, ...parts: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.of(size), ...parts]);

/** A copy from before the beginning, at which decompressing ends. */
const astray = copy(4, 200);

describe('The rest of a compressed block', () => {
  it('is all of it, if nothing is damaged', () => {
    const bytes = block(11, literal('abcdef'), copy(5, 6));
    expect(decompressFront(bytes).toString()).to.equal('abcdefabcde');
  });

  it('includes the part before the damage', () => {
    const bytes = block(20, literal('abcdef'), astray, literal('ghi'));
    expect(decompressFront(bytes).toString()).to.equal('abcdef');
    expect(decompressFront(block(3, literal('abcdef'))).toString()).to.equal('');
    expect(decompressFront(Buffer.of(0x80)).toString()).to.equal('');
  });

  it('includes the part after the damage, at its place, with copies from the front', () => {
    // Of 20 bytes, 6 come from the front and 9 from the back: 5 are lost.
    const bytes = block(20, literal('dhlpdh'), Buffer.of(0xfc, 0xfc), literal('txlp'), copy(5, 14));
    const front = decompressFront(bytes);
    expect(front.toString()).to.equal('dhlpdh');
    const ways = [...decompressBack(bytes, front, 6)].map((each) => each.toString('latin1'));
    expect(ways).to.include('dhlpdh\0\0\0\0\0txlphlpdh');
  });

  it('leaves out contents that would begin before the certain part', () => {
    const bytes = block(20, literal('dhlpdh'), Buffer.of(0xfc, 0xfc), literal('txlp'), copy(5, 14));
    const front = decompressFront(bytes);
    for (const [after, isGiven] of [
      [11, true],
      [12, false],
    ] as const) {
      const ways = [...decompressBack(bytes, front, after)].map((each) => each.toString('latin1').slice(11));
      expect(ways.includes('txlphlpdh')).to.equal(isGiven);
    }
  });

  it('includes the part after the damage also if the size is damaged', () => {
    const bytes = Buffer.concat([Buffer.of(0xff, 0xff, 0xff, 0xff, 0x0f), literal('wxyz'), copy(4, 4)]);
    expect([...decompressBack(bytes, Buffer.alloc(0), 0)].map(String)).to.include('wxyzwxyz');
  });
});
