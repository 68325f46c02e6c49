import { expect } from 'chai';
import { findRows } from '../../src/repair/find-rows.js';
import { encodeNumbers } from '../../src/leveldb-files/numbers.js';
import { seal } from '../../src/rows/seal.js';

const keyOf = (n: number): Buffer => Buffer.from(`0104a2${n.toString(16).padStart(4, '0')}`, 'hex');

interface Put {
  readonly n: number;
  readonly shared: number;
  readonly sequence?: number;
  readonly isDeletion?: boolean;
}

/** A row in a table: lengths, the part of its key that is not shared with the key before, and its value. */
function pair({ n, shared, sequence = n, isDeletion = false }: Put): Buffer {
  const key = keyOf(n);
  const value = isDeletion ? Buffer.alloc(0) : seal(key, Buffer.from(`name ${n}`));
  const suffix = Buffer.alloc(8, 0);
  suffix.writeUInt8(isDeletion ? 0 : 1);
  suffix.writeUIntLE(sequence, 1, 6);
  const rest = Buffer.concat([key.subarray(shared), suffix]);
  return Buffer.concat([encodeNumbers(shared, rest.length, value.length), rest, value]);
}

/** The same with a damaged value. */
function damaged(put: Put): Buffer {
  const bytes = pair(put);
  bytes.fill(0xee, bytes.length - 6);
  return bytes;
}

const found = (parts: readonly Buffer[], around: readonly Buffer[] = []): readonly string[] =>
  findRows(Buffer.concat(parts), around).map(
    ({ version: { key, value, sequence } }) =>
      `${key.readUInt16BE(3)}${value === undefined ? ' deleted' : ''} @${sequence}`,
  );

describe('findRows', () => {
  it('finds the rows of a block, also after other bytes', () => {
    const rows = [pair({ n: 1, shared: 0 }), pair({ n: 2, shared: 4 }), pair({ n: 3, shared: 4 })];
    expect(found(rows)).to.deep.equal(['1 @1', '2 @2', '3 @3']);
    for (const noise of [Buffer.alloc(40), Buffer.alloc(40, 0xff), Buffer.from('nothing')])
      expect(found([noise, ...rows, noise, pair({ n: 9, shared: 0 })])).to.deep.equal([
        '1 @1',
        '2 @2',
        '3 @3',
        '9 @9',
      ]);
  });

  it('gives the place of each row', () => {
    const [one, two] = [pair({ n: 1, shared: 0 }), pair({ n: 2, shared: 4 })];
    const places = findRows(Buffer.concat([Buffer.from('??'), one, two])).map(({ start, end }) => [
      start,
      end,
    ]);
    expect(places).to.deep.equal([
      [2, 2 + one.length],
      [2 + one.length, 2 + one.length + two.length],
    ]);
  });

  it('takes the beginning of a key from the row before, even if its value is damaged', () => {
    const rows = [
      pair({ n: 0xff, shared: 0 }),
      damaged({ n: 0x101, shared: 3 }),
      pair({ n: 0x102, shared: 4 }),
      pair({ n: 0x205, shared: 0 }),
    ];
    expect(found(rows)).to.deep.equal(['255 @255', '258 @258', '517 @517']);
  });

  it('takes it from the row before the damaged ones, or from the next whole key', () => {
    const after = pair({ n: 0x102, shared: 4 });
    expect(found([pair({ n: 0x100, shared: 0 }), Buffer.alloc(20, 0xff), after])).to.deep.equal([
      '256 @256',
      '258 @258',
    ]);
    expect(found([Buffer.alloc(20, 0xff), after, pair({ n: 0x109, shared: 0 })])).to.deep.equal([
      '258 @258',
      '265 @265',
    ]);
    expect(found([Buffer.alloc(20, 0xff), after, pair({ n: 0x209, shared: 0 })])).to.deep.equal(['521 @521']);
  });

  it('takes it from the surrounding keys', () => {
    const rows = [Buffer.alloc(20, 0xff), pair({ n: 0x102, shared: 4 })];
    expect(found(rows)).to.be.empty;
    expect(found(rows, [keyOf(0x1ff)])).to.deep.equal(['258 @258']);
    expect(found(rows, [keyOf(0x0ff), keyOf(0x103)])).to.deep.equal(['258 @258']);
  });

  it('gives only deletions that follow a row in the order of keys', () => {
    const deletion = pair({ n: 5, shared: 4, isDeletion: true });
    expect(found([pair({ n: 4, shared: 0 }), deletion])).to.deep.equal(['4 @4', '5 deleted @5']);
    expect(found([pair({ n: 6, shared: 0 }), deletion])).to.deep.equal(['6 @6']);
    expect(found([damaged({ n: 4, shared: 0 }), deletion])).to.be.empty;
    const older = pair({ n: 5, shared: 5, sequence: 3, isDeletion: true });
    expect(found([pair({ n: 5, shared: 0 }), older])).to.deep.equal(['5 @5', '5 deleted @3']);
    const newer = pair({ n: 5, shared: 5, sequence: 7, isDeletion: true });
    expect(found([pair({ n: 5, shared: 0 }), newer])).to.deep.equal(['5 @5']);
  });
});
