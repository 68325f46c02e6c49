import { expect } from 'chai';
import { areInOrder, findRefusedFragment } from '../../src/leveldb-files/log-order.js';
import { batch, put } from '../fixtures/leveldb/leveldb-batch.js';
import { fragment, fragmentTypes, logOf } from '../fixtures/leveldb/leveldb-log.js';

const change = put(Buffer.from('key'), Buffer.from('value'));
const BLOCK = 32_768;
const HEADER = 7;

describe('areInOrder', () => {
  const one = batch(10n, change);
  const three = batch(11n, change, change, change);

  for (const [what, records] of Object.entries({
    'follow each other': [one, three, batch(14n, change)],
    'leave numbers out, as after a write that failed': [one, batch(99n, change)],
    'are none': [],
  })) {
    it(`accepts records that ${what}`, () => {
      expect(areInOrder(records)).to.equal(true);
    });
  }

  for (const [what, records] of Object.entries({
    'have a number twice': [one, one],
    'have a number of the changes before them': [three, batch(13n, change)],
    'go back': [three, one],
    'are too short for a batch': [one.subarray(0, 11)],
  })) {
    it(`refuses records that ${what}`, () => {
      expect(areInOrder(records)).to.equal(false);
    });
  }
});

describe('findRefusedFragment', () => {
  const { full, first, middle, last } = fragmentTypes;
  const some = Buffer.alloc(100, 'x');
  const sound = logOf([some, some]);
  /** Three records; the second one spans three blocks. */
  const long = logOf([some, Buffer.alloc(2 * BLOCK, 'y'), some]);
  const end = sound.length;
  const wrong = fragment(full, some);
  wrong.writeUInt8(wrong.readUInt8() ^ 1);

  it('finds nothing in a manifest of LevelDB', () => {
    for (const bytes of [sound, long, Buffer.alloc(0)])
      expect(findRefusedFragment(bytes)).to.equal(undefined);
    for (let left = 0; left <= HEADER; left++) {
      const filled = logOf([Buffer.alloc(BLOCK - HEADER - left, 'z'), some]);
      expect(findRefusedFragment(filled), `${left} bytes left`).to.equal(undefined);
    }
  });

  it('finds nothing in a manifest that is cut at any place, or ends in zeros', () => {
    for (let size = 0; size < sound.length; size++) {
      expect(findRefusedFragment(sound.subarray(0, size)), `cut at ${size}`).to.equal(undefined);
    }
    for (const size of [BLOCK - 1, BLOCK, BLOCK + 3, 2 * BLOCK + 50]) {
      expect(findRefusedFragment(long.subarray(0, size)), `cut at ${size}`).to.equal(undefined);
    }
    expect(findRefusedFragment(Buffer.concat([sound, Buffer.alloc(BLOCK)]))).to.equal(undefined);
  });

  it('finds each flipped bit of the last record, except those that make it look cut', () => {
    const start = sound.length / 2;
    for (let bit = start * 8; bit < sound.length * 8; bit++) {
      const bytes = Buffer.from(sound);
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const looksCut = start + HEADER + bytes.readUInt16LE(start + 4) > bytes.length;
      expect(findRefusedFragment(bytes), `bit ${bit}`).to.equal(looksCut ? undefined : start);
    }
  });

  for (const [what, tail] of Object.entries({
    'a wrong checksum': wrong,
    'an unknown type': fragment(5, some),
    'the type of zeros': fragment(0, some),
    'the middle of a record that did not begin': fragment(middle, some),
    'the end of a record that did not begin': fragment(last, some),
  })) {
    it(`finds ${what}`, () => {
      expect(findRefusedFragment(Buffer.concat([sound, tail]))).to.equal(end);
    });
  }

  for (const [what, next] of Object.entries({
    'another record': fragment(full, some),
    'the beginning of another one': fragment(first, some),
    'an unknown type': fragment(5, some),
    zeros: Buffer.alloc(100),
  })) {
    it(`finds ${what} in the middle of a record`, () => {
      const bytes = Buffer.concat([sound, fragment(first, some), next]);
      expect(findRefusedFragment(bytes)).to.equal(end + HEADER + some.length);
    });
  }

  it('finds a length that exceeds its block, unless it is the last block', () => {
    const bytes = Buffer.from(long);
    bytes.writeUInt16LE(0xffff, 4);
    expect(findRefusedFragment(bytes)).to.equal(0);
  });
});
