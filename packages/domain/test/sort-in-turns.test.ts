import { sortInTurns } from '@tallybook/domain/record';
import { eachInTurns } from '../src/record/turns.js';
import { expect } from 'chai';

const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, n) => Math.imul(n, 0x9e3779b1) >>> 8);

const ascending = (a: number, b: number): number => a - b;

const noPause = (): Promise<void> => Promise.resolve();

describe('sortInTurns', () => {
  for (const count of [0, 1, 1_999, 2_000, 2_001, 6_000, 10_001]) {
    it(`sorts ${count} items as sort does`, async () => {
      const items = numbers(count);
      const sorted = await sortInTurns(items, ascending, noPause);
      expect(sorted).to.deep.equal(items.toSorted(ascending));
    });
  }

  it('keeps the order of equal items', async () => {
    const items = numbers(7_000).map((number, index) => ({ bucket: number % 3, index }));
    const sorted = await sortInTurns(items, (a, b) => a.bucket - b.bucket, noPause);
    expect(sorted).to.deep.equal(items.toSorted((a, b) => a.bucket - b.bucket || a.index - b.index));
  });

  it('lets other work run while it sorts and while it merges', async () => {
    let turns = 0;
    await sortInTurns(numbers(20_000), ascending, () => Promise.resolve(void turns++));
    expect(turns).to.be.at.least(40);
  });

  it('does not change the given list', async () => {
    const items = numbers(5_000);
    const before = [...items];
    await sortInTurns(items, ascending, noPause);
    expect(items).to.deep.equal(before);
  });
});

describe('eachInTurns', () => {
  it('handles all items in their order, with a pause after each 2,000', async () => {
    const events: (number | 'pause')[] = [];
    const take = (item: number): void => void events.push(item);
    await eachInTurns(numbers(4_001), take, () => Promise.resolve(void events.push('pause')));
    const expected = numbers(4_001).flatMap((item, n) =>
      (n + 1) % 2_000 === 0 ? [item, 'pause' as const] : [item],
    );
    expect(events).to.deep.equal(expected);
  });
});
