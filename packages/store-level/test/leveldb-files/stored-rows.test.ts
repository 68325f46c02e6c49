import { expect } from 'chai';
import { readBatch } from '../../src/leveldb-files/stored-rows.js';
import { batch, del, put } from '../fixtures/leveldb/leveldb-batch.js';

const [a, b, one] = [Buffer.from('a'), Buffer.from('bb'), Buffer.from('one')];

describe('readBatch', () => {
  it('gives the changes in their order, each with the next sequence number', () => {
    const record = batch(70_000_000_000n, put(a, one), del(b), put(b, Buffer.alloc(0)));
    expect(readBatch(record)).to.deep.equal([
      { key: a, value: one, sequence: 70_000_000_000, isDoubtful: false },
      { key: b, value: undefined, sequence: 70_000_000_001, isDoubtful: false },
      { key: b, value: Buffer.alloc(0), sequence: 70_000_000_002, isDoubtful: false },
    ]);
  });

  it('gives the changes before a cut', () => {
    const record = batch(5n, put(a, one), put(b, one));
    for (let length = 0; length < record.length; length++) {
      const changes = readBatch(record.subarray(0, length));
      expect(changes, `cut at ${length}`).to.have.length(length < 12 + 7 ? 0 : 1);
    }
    expect(readBatch(record)).to.have.length(2);
  });
});
