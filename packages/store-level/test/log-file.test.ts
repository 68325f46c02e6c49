import { expect } from 'chai';
import fc from 'fast-check';
import { findChecksum, hasChecksum } from '../src/crc32c.js';
import { readLog } from '../src/log-file.js';
import { crc32c, fragment, fragmentTypes, logOf, maskedCrc32c } from './fixtures/leveldb-log.js';

const { full, first, middle, last } = fragmentTypes;
const BLOCK = 32_768;

const record = (length: number, fill = 7): Buffer => Buffer.alloc(length, fill);
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at);
  return copy;
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

  it('are found behind the bytes that they are of, up to a limit', () => {
    const bytes = Buffer.concat([record(2), text, maskedCrc32c(text), record(2)]);
    expect(findChecksum(bytes, 2, bytes.length)).to.equal(11);
    expect(findChecksum(bytes, 2, 11)).to.equal(11);
    expect(findChecksum(bytes, 2, 10)).to.equal(undefined);
    expect(findChecksum(bytes, 3, bytes.length)).to.equal(undefined);
    expect(findChecksum(bytes.subarray(0, 15), 2, 100)).to.equal(11);
    expect(findChecksum(bytes.subarray(0, 14), 2, 100)).to.equal(undefined);
  });
});

describe('readLog', () => {
  it('gives the records back, whatever their sizes', () => {
    const size = fc.oneof(
      fc.nat(40),
      fc.constantFrom(BLOCK - 14, BLOCK - 13, BLOCK - 8, BLOCK - 7, BLOCK, 2 * BLOCK),
    );
    fc.assert(
      fc.property(fc.array(size, { maxLength: 6 }), (sizes) => {
        const records = sizes.map((length, index) => record(length, index + 1));
        expect(readLog(logOf(records))).to.deep.equal({ records, doubtful: [], damagedAt: undefined });
      }),
      { seed: 20_261_121 },
    );
  });

  for (const left of [0, 1, 6, 7, 8]) {
    it(`goes on in the next block when ${left} bytes of one are left`, () => {
      const records = [record(BLOCK - 7 - left), record(20, 1), record(5, 2)];
      expect(readLog(logOf(records)).records).to.deep.equal(records);
    });
  }

  for (const left of [0, 3, 6]) {
    it(`doubts two records one after the other, of which the first leaves ${left} bytes of its block`, () => {
      const [one, two, three] = [record(BLOCK - 7 - left, 1), record(20, 2), record(5, 3)] as const;
      const bytes = flipped(flipped(logOf([one, two, three]), 7 + 4), BLOCK + 7 + 4);
      expect(readLog(bytes)).to.deep.equal({
        records: [three],
        doubtful: [flipped(one, 4), flipped(two, 4)],
        damagedAt: 0,
      });
    });
  }

  for (const length of [19, 21, 25, 28]) {
    it(`finds the next record behind one of 20 bytes that says that it has ${length}`, () => {
      const [one, two, three] = [record(20, 1), record(20, 2), record(5, 3)] as const;
      const bytes = logOf([one, two, three]);
      bytes.writeUInt16LE(length, 4);
      const { records, damagedAt } = readLog(bytes);
      expect(records).to.deep.equal([two, three]);
      expect(damagedAt).to.equal(0);
    });
  }

  it('takes a torn end for a record that was not written, wherever it is torn', () => {
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

  it('takes zeros at the end for space that was made and not used', () => {
    for (const records of [[record(30)], [record(30), record(9_000, 0)], [record(2 * BLOCK, 0)], []]) {
      for (const room of [1, 4_095, 4_096, BLOCK, 3 * BLOCK + 5]) {
        const { records: read, damagedAt } = readLog(Buffer.concat([logOf(records), Buffer.alloc(room)]));
        expect(read).to.deep.equal(records);
        expect(damagedAt).to.equal(undefined);
      }
    }
  });

  it('says where a record is damaged, doubts that one and reads the others', () => {
    const [one, two, three] = [record(30, 1), record(40, 2), record(50, 3)] as const;
    const bytes = logOf([one, two, three]);
    const start = 7 + 30;
    const { records, doubtful, damagedAt } = readLog(flipped(bytes, start + 7 + 5));
    expect(records).to.deep.equal([one, three]);
    expect(doubtful).to.deep.equal([flipped(two, 5)]);
    expect(damagedAt).to.equal(start);
  });

  it('says where the first of several damages is', () => {
    const bytes = logOf([record(30, 1), record(30, 2), record(30, 3), record(30, 4)]);
    const { records, damagedAt } = readLog(flipped(flipped(bytes, 37 + 10), 3 * 37 - 1));
    expect(records).to.deep.equal([record(30, 1), record(30, 4)]);
    expect(damagedAt).to.equal(37);
  });

  it('finds the next record where a length is damaged', () => {
    const bytes = logOf([record(30, 1), record(30, 2), record(30, 3)]);
    for (const at of [37 + 4, 37 + 5]) {
      const { records, damagedAt } = readLog(flipped(bytes, at));
      expect(records, `byte ${at}`).to.deep.equal([record(30, 1), record(30, 3)]);
      expect(damagedAt, `byte ${at}`).to.equal(37);
    }
  });

  it('finds the next record behind bytes that are none', () => {
    for (const hole of [Buffer.alloc(37), Buffer.alloc(37, 0xff), Buffer.alloc(1, 9)]) {
      const bytes = Buffer.concat([logOf([record(30, 1)]), hole, logOf([record(30, 3)])]);
      const { records, damagedAt } = readLog(bytes);
      expect(records).to.deep.equal([record(30, 1), record(30, 3)]);
      expect(damagedAt).to.equal(37);
    }
  });

  it('says that a record has no end if another one begins', () => {
    const parts = [
      fragment(full, record(10, 1)),
      fragment(first, record(10, 2)),
      fragment(full, record(10, 3)),
    ];
    const { records, doubtful, damagedAt } = readLog(Buffer.concat(parts));
    expect(records).to.deep.equal([record(10, 1), record(10, 3)]);
    expect(doubtful).to.deep.equal([]);
    expect(damagedAt).to.equal(17);
  });

  it('says that a record has no beginning if another one follows', () => {
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

  it('joins the fragments of a record, and doubts all of it if one is damaged', () => {
    const [one, two, three] = [record(10, 1), record(10, 2), record(10, 3)] as const;
    const bytes = Buffer.concat([
      fragment(first, one),
      fragment(middle, two),
      fragment(last, three),
      logOf([one]),
    ]);
    expect(readLog(bytes)).to.deep.equal({
      records: [Buffer.concat([one, two, three]), one],
      doubtful: [],
      damagedAt: undefined,
    });
    for (const at of [16, 33, 50]) {
      const { records, doubtful, damagedAt } = readLog(flipped(bytes, at));
      expect(records, `byte ${at}`).to.deep.equal([one]);
      expect(
        doubtful.map(({ length }) => length),
        `byte ${at}`,
      ).to.deep.equal([30]);
      expect(damagedAt, `byte ${at}`).to.equal(0);
    }
  });

  it('knows no fragments of other types, even with a right checksum', () => {
    for (const type of [0, 5]) {
      const bytes = Buffer.concat([fragment(type, record(10, 1)), logOf([record(10, 2)])]);
      expect(readLog(bytes)).to.deep.equal({ records: [record(10, 2)], doubtful: [], damagedAt: 0 });
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

  it('doubts a record that begins a block as it does any other', () => {
    const bytes = logOf([record(BLOCK - 7 - 3), record(20, 1), record(30, 2)]);
    const { doubtful, damagedAt } = readLog(flipped(bytes, BLOCK + 7 + 4));
    expect(doubtful).to.deep.equal([flipped(record(20, 1), 4)]);
    expect(damagedAt).to.equal(BLOCK);
  });

  it('reads nothing from nothing', () => {
    expect(readLog(Buffer.alloc(0))).to.deep.equal({ records: [], doubtful: [], damagedAt: undefined });
  });
});
