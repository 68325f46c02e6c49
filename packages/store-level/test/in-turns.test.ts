import { expect } from 'chai';
import { decodeInTurns } from '../src/rows/decode-in-turns.js';
import { sortInTurns } from '../src/rows/sort-in-turns.js';

/** How many turns others get while some work goes on. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let turn = setImmediate(function count() {
    turns++;
    turn = setImmediate(count);
  });
  await work;
  clearImmediate(turn);
  return turns;
}

const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, n) => Math.imul(n, 0x9e3779b1) >>> 8);

const ascending = (a: number, b: number): number => a - b;

describe('sortInTurns', () => {
  for (const count of [0, 1, 1_999, 2_000, 2_001, 6_000, 10_001]) {
    it(`sorts ${count} items as sort does`, async () => {
      const items = numbers(count);
      const sorted = await sortInTurns(items, ascending);
      expect(sorted).to.deep.equal(items.toSorted(ascending));
    });
  }

  it('keeps the order of equal items', async () => {
    const items = numbers(7_000).map((number, index) => ({ bucket: number % 3, index }));
    const sorted = await sortInTurns(items, (a, b) => a.bucket - b.bucket);
    expect(sorted).to.deep.equal(items.toSorted((a, b) => a.bucket - b.bucket || a.index - b.index));
  });

  it('lets others go while it sorts and while it merges', async () => {
    expect(await turnsDuring(sortInTurns(numbers(20_000), ascending))).to.be.at.least(40);
  });

  it('does not change what it is given', async () => {
    const items = numbers(5_000);
    const before = [...items];
    await sortInTurns(items, ascending);
    expect(items).to.deep.equal(before);
  });
});

describe('decodeInTurns', () => {
  it('decodes all rows in their order', async () => {
    const rows = numbers(5_500);
    expect(await decodeInTurns(rows, (row) => row + 1)).to.deep.equal(rows.map((row) => row + 1));
  });

  it('lets others go after every thousand rows', async () => {
    expect(await turnsDuring(decodeInTurns(numbers(10_000), (row) => row))).to.be.at.least(8);
  });

  it('rejects with what a row fails with', async () => {
    const failure: unknown = await decodeInTurns(numbers(3_000), () => {
      throw new RangeError('damaged');
    }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(RangeError);
  });
});
