import { expect } from 'chai';
import fc from 'fast-check';
import { hasChecksum } from '../../src/leveldb-files/crc32c.js';
import {
  readLog,
  type LogContent,
  areInOrder,
  findRefusedFragment,
} from '../../src/leveldb-files/log-file.js';
import { crc32c, fragment, fragmentTypes, logOf, maskedCrc32c } from '../fixtures/leveldb/leveldb-log.js';
import { batch, put } from '../fixtures/leveldb/leveldb-batch.js';

const { full, first, middle, last } = fragmentTypes;
const BLOCK = 32_768;

const record = (length: number, fill = 7): Buffer => Buffer.alloc(length, fill);
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
};

/** The records, and the bytes between them. */
const read = (
  bytes: Buffer,
): { records: readonly Buffer[]; gaps: Buffer[]; damagedAt: number | undefined } => {
  const { records, beginnings, parts, damagedAt }: LogContent = readLog(bytes);
  const beginningOf = (bytes: Buffer): Buffer => bytes.subarray(0, 12);
  expect(beginnings.map(beginningOf)).to.deep.equal(records.map(beginningOf));
  expect(parts.filter(({ isRecord }) => isRecord).map((part) => part.bytes)).to.deep.equal(records);
  const gaps = parts.filter(({ isRecord }) => !isRecord).map((part) => part.bytes);
  return { records, gaps, damagedAt };
};

describe('Checksums of LevelDB', () => {
  const text = Buffer.from('123456789');

  it('are those that the standard gives', () => {
    expect(crc32c(text)).to.equal(0xe3069283);
    const stored = maskedCrc32c(text).readUInt32LE();
    const around = Buffer.concat([record(3), text, record(3)]);
    expect(hasChecksum(around, 3, 12, stored)).to.equal(true);
    expect(hasChecksum(around, 3, 11, stored)).to.equal(false);
    expect(hasChecksum(around, 2, 12, stored)).to.equal(false);
    expect(hasChecksum(flipped(around, 11), 3, 12, stored)).to.equal(false);
    expect(hasChecksum(around, 3, 12, stored ^ 1)).to.equal(false);
  });
});

describe('readLog', () => {
  it('gives records of all sizes', () => {
    const size = fc.oneof(
      fc.nat(40),
      fc.constantFrom(BLOCK - 14, BLOCK - 13, BLOCK - 8, BLOCK - 7, BLOCK, 2 * BLOCK),
    );
    fc.assert(
      fc.property(fc.array(size, { maxLength: 6 }), (sizes) => {
        const records = sizes.map((length, index) => record(length, index + 1));
        expect(read(logOf(records))).to.deep.equal({ records, gaps: [], damagedAt: undefined });
      }),
      { seed: 20_261_121 },
    );
  });

  for (const left of [0, 1, 6, 7, 8]) {
    it(`continues in the next block when ${left} bytes of one are left`, () => {
      const records = [record(BLOCK - 7 - left), record(20, 1), record(5, 2)];
      expect(readLog(logOf(records)).records).to.deep.equal(records);
    });
  }

  for (const left of [0, 3, 6]) {
    it(`skips two successive damaged records, the first of which leaves ${left} bytes of its block`, () => {
      const [one, two, three] = [record(BLOCK - 7 - left, 1), record(20, 2), record(5, 3)] as const;
      const bytes = flipped(flipped(logOf([one, two, three]), 7 + 4), BLOCK + 7 + 4);
      const gap = Buffer.concat([flipped(one, 4), Buffer.alloc(left), flipped(two, 4)]);
      expect(read(bytes)).to.deep.equal({ records: [three], gaps: [gap], damagedAt: 0 });
    });
  }

  for (const length of [19, 21, 25, 28]) {
    it(`finds the next record after one of 20 bytes with the stated length ${length}`, () => {
      const [one, two, three] = [record(20, 1), record(20, 2), record(5, 3)] as const;
      const bytes = logOf([one, two, three]);
      bytes.writeUInt16LE(length, 4);
      const { records, damagedAt } = readLog(bytes);
      expect(records).to.deep.equal([two, three]);
      expect(damagedAt).to.equal(0);
    });
  }

  it('treats an end that is torn at any place as an unwritten record', () => {
    const records = [record(30), record(BLOCK, 1)];
    const bytes = logOf(records);
    const start = logOf(records.slice(0, 1)).length;
    for (const end of [
      start,
      start + 1,
      start + 6,
      start + 7,
      start + 100,
      BLOCK,
      BLOCK + 3,
      bytes.length - 1,
    ]) {
      const { records: read, damagedAt } = readLog(bytes.subarray(0, end));
      expect(read, `torn at ${end}`).to.deep.equal(records.slice(0, 1));
      expect(damagedAt, `torn at ${end}`).to.equal(undefined);
    }
  });

  it('treats zeros at the end as unused room', () => {
    for (const records of [[record(30)], [record(30), record(9_000, 0)], [record(2 * BLOCK, 0)], []]) {
      for (const room of [1, 4_095, 4_096, BLOCK, 3 * BLOCK + 5]) {
        const { records: read, damagedAt } = readLog(Buffer.concat([logOf(records), Buffer.alloc(room)]));
        expect(read).to.deep.equal(records);
        expect(damagedAt).to.equal(undefined);
      }
    }
  });

  it('gives the place and the bytes of a damaged record, and reads the others', () => {
    const [one, two, three] = [record(30, 1), record(40, 2), record(50, 3)] as const;
    const bytes = logOf([one, two, three]);
    const start = 7 + 30;
    const { records, gaps, damagedAt } = read(flipped(bytes, start + 7 + 5));
    expect(records).to.deep.equal([one, three]);
    expect(gaps).to.deep.equal([flipped(bytes, start + 12).subarray(start, start + 7 + 40)]);
    expect(damagedAt).to.equal(start);
  });

  it('gives the place of the first of several damages', () => {
    const bytes = logOf([record(30, 1), record(30, 2), record(30, 3), record(30, 4)]);
    const { records, damagedAt } = readLog(flipped(flipped(bytes, 37 + 10), 3 * 37 - 1));
    expect(records).to.deep.equal([record(30, 1), record(30, 4)]);
    expect(damagedAt).to.equal(37);
  });

  it('finds the next record after a damaged length', () => {
    const bytes = logOf([record(30, 1), record(30, 2), record(30, 3)]);
    for (const at of [37 + 4, 37 + 5]) {
      const { records, damagedAt } = readLog(flipped(bytes, at));
      expect(records, `byte ${at}`).to.deep.equal([record(30, 1), record(30, 3)]);
      expect(damagedAt, `byte ${at}`).to.equal(37);
    }
  });

  it('finds the next record after bytes that are no record', () => {
    for (const hole of [Buffer.alloc(37), Buffer.alloc(37, 0xff), Buffer.alloc(1, 9)]) {
      const bytes = Buffer.concat([logOf([record(30, 1)]), hole, logOf([record(30, 3)])]);
      const { records, damagedAt } = readLog(bytes);
      expect(records).to.deep.equal([record(30, 1), record(30, 3)]);
      expect(damagedAt).to.equal(37);
    }
  });

  it('reports a record without an end before another one', () => {
    const parts = [
      fragment(full, record(10, 1)),
      fragment(first, record(10, 2)),
      fragment(full, record(10, 3)),
    ];
    const { records, gaps, damagedAt } = read(Buffer.concat(parts));
    expect(records).to.deep.equal([record(10, 1), record(10, 3)]);
    expect(gaps).to.deep.equal([parts[1]]);
    expect(damagedAt).to.equal(17);
  });

  it('reports a record without a beginning before another one', () => {
    for (const type of [middle, last]) {
      const parts = [
        fragment(full, record(10, 1)),
        fragment(type, record(10, 2)),
        fragment(full, record(10, 3)),
      ];
      const { records, damagedAt } = readLog(Buffer.concat(parts));
      expect(records).to.deep.equal([record(10, 1), record(10, 3)]);
      expect(damagedAt).to.equal(17);
    }
  });

  it('joins the fragments of a record, and gives the bytes of all of them if one is damaged', () => {
    const [one, two, three] = [record(10, 1), record(10, 2), record(10, 3)] as const;
    const bytes = Buffer.concat([
      fragment(first, one),
      fragment(middle, two),
      fragment(last, three),
      logOf([one]),
    ]);
    expect(read(bytes)).to.deep.equal({
      records: [Buffer.concat([one, two, three]), one],
      gaps: [],
      damagedAt: undefined,
    });
    for (const at of [16, 33, 50]) {
      const { records, gaps, damagedAt } = read(flipped(bytes, at));
      expect(records, `byte ${at}`).to.deep.equal([one]);
      // The first header is that of a block.
      expect(gaps, `byte ${at}`).to.deep.equal([flipped(bytes, at).subarray(7, 51)]);
      expect(damagedAt, `byte ${at}`).to.equal(0);
    }
  });

  it('ignores fragments of other types, even with a right checksum', () => {
    for (const type of [0, 5]) {
      const bytes = Buffer.concat([fragment(type, record(10, 1)), logOf([record(10, 2)])]);
      expect(read(bytes)).to.deep.equal({ records: [record(10, 2)], gaps: [record(10, 1)], damagedAt: 0 });
    }
  });

  it('joins nothing across a fragment of another type', () => {
    for (const type of [0, 5]) {
      const parts = [
        fragment(first, record(10, 1)),
        fragment(type, record(10, 2)),
        fragment(last, record(10, 3)),
      ];
      const { records, damagedAt } = readLog(Buffer.concat([...parts, logOf([record(10, 4)])]));
      expect(records).to.deep.equal([record(10, 4)]);
      expect(damagedAt).to.equal(0);
    }
  });

  it('gives a damaged record that begins a block without the header', () => {
    const bytes = logOf([record(BLOCK - 7 - 3), record(20, 1), record(30, 2)]);
    const { gaps, damagedAt } = read(flipped(bytes, BLOCK + 7 + 4));
    expect(gaps).to.deep.equal([Buffer.concat([Buffer.alloc(3), flipped(record(20, 1), 4)])]);
    expect(damagedAt).to.equal(BLOCK);
  });

  it('gives the end of a torn record with zeros that may belong to it', () => {
    const torn = logOf([record(30, 1), record(20, 2)]).subarray(0, -1);
    const [gap, ...others] = read(Buffer.concat([torn, Buffer.alloc(9_000)])).gaps;
    expect(others).to.be.empty;
    expect(gap?.subarray(0, 26)).to.deep.equal(torn.subarray(37));
  });
});

const change = put(Buffer.from('key'), Buffer.from('value'));
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
