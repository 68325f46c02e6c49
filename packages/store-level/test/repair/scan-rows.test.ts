import { expect } from 'chai';
import { encodeNumbers } from '../../src/leveldb-files/numbers.js';
import { logRowAt, tableRowAt } from '../../src/leveldb-files/stored-rows.js';
import { scanRows } from '../../src/repair/scan-rows.js';
import { seal } from '../../src/rows/seal.js';
import { batch, del, put } from '../fixtures/leveldb/leveldb-batch.js';

/** The key of the name of a tag. */
const keyOf = (n: number): Buffer => Buffer.from(`0104a2${n.toString(16).padStart(4, '0')}`, 'hex');
const sealed = (n: number): Buffer => seal(keyOf(n), Buffer.from(`name ${n}`));

/** A row in a table, with its number as sequence number. */
function inTable(n: number, value = sealed(n)): Buffer {
  const suffix = Buffer.alloc(8);
  suffix.writeUInt8(1);
  suffix.writeUIntLE(n, 1, 6);
  const key = Buffer.concat([keyOf(n), suffix]);
  return Buffer.concat([encodeNumbers(0, key.length, value.length), key, value]);
}

/** A deleted row in a table. */
function deletedInTable(n: number): Buffer {
  const row = inTable(n, Buffer.alloc(0));
  row.writeUInt8(0, row.length - 8);
  return row;
}

/** The bytes with the last one changed. */
function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(copy.length - 1) ^ 1, copy.length - 1);
  return copy;
}

const noises = [Buffer.alloc(0), Buffer.alloc(40), Buffer.alloc(40, 0xff), Buffer.from('nothing here')];

describe('scanRows', () => {
  const kinds = {
    table: {
      row: inTable,
      deleted: deletedInTable,
      scan: (...parts: readonly Buffer[]) =>
        scanRows(Buffer.concat(parts), tableRowAt).map(
          ({ key, value, sequence }) =>
            `${key.readUInt16BE(3)}${value === undefined ? ' deleted' : ''}${key.readUInt16BE(3) === sequence ? '' : ` as ${sequence}`}`,
        ),
    },
    log: {
      row: (n: number) => put(keyOf(n), sealed(n)),
      deleted: (n: number) => del(keyOf(n)),
      scan: (...parts: readonly Buffer[]) =>
        scanRows(Buffer.concat(parts), (bytes, at) => logRowAt(bytes, at, 0)).map(
          ({ key, value }) => `${key.readUInt16BE(3)}${value === undefined ? ' deleted' : ''}`,
        ),
    },
  };

  for (const [what, { row, deleted, scan }] of Object.entries(kinds)) {
    it(`finds the rows of a ${what} with right checksums, wherever they begin`, () => {
      for (const noise of noises)
        expect(scan(noise, row(1), row(2), noise, row(7), noise)).to.deep.equal(['1', '2', '7']);
      expect(scan(row(1), damaged(row(2)), row(3))).to.deep.equal(['1', '3']);
    });

    it(`finds no row of a ${what} in which any bit of key, value or lengths is wrong`, () => {
      const sound = row(300);
      const suffix = what === 'table' ? { from: 3 + 5, to: 3 + 5 + 8 } : { from: 0, to: 0 };
      for (let bit = 0; bit < sound.length * 8; bit++) {
        const at = bit >> 3;
        const bytes = Buffer.from(sound);
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at);
        const found = scan(bytes);
        // The checksum does not cover the sequence number.
        const isInNumber = at > suffix.from && at < suffix.to;
        if (!isInNumber) expect(found, `bit ${bit}`).to.be.empty;
        else expect(found, `bit ${bit}`).to.have.lengthOf(1);
      }
    });

    it(`finds deletions of a ${what} directly before or after a row or another deletion, and no others`, () => {
      expect(scan(row(1), deleted(2), deleted(3))).to.deep.equal(['1', '2 deleted', '3 deleted']);
      expect(scan(Buffer.alloc(9, 0xff), deleted(2), row(3))).to.deep.equal(['2 deleted', '3']);
      expect(scan(Buffer.alloc(9, 0xff), deleted(2), deleted(3))).to.deep.equal(['2 deleted', '3 deleted']);
      expect(scan(Buffer.alloc(9, 0xff), deleted(2), Buffer.alloc(9, 0xff))).to.be.empty;
      expect(scan(damaged(row(1)), deleted(2))).to.be.empty;
    });
  }

  it('finds no deletion of a key that a store cannot have', () => {
    const deletion = del(Buffer.of(0x7f, 1, 2));
    const rows = scanRows(Buffer.concat([put(keyOf(1), sealed(1)), deletion]), (bytes, at) =>
      logRowAt(bytes, at, 0),
    );
    expect(rows).to.have.lengthOf(1);
  });

  it('finds the rows of a batch whose header is damaged', () => {
    const record = batch(5n, put(keyOf(1), sealed(1)), put(keyOf(2), sealed(2)));
    record.fill(0xff, 0, 12);
    expect(kinds.log.scan(record)).to.deep.equal(['1', '2']);
  });
});
