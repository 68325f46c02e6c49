import { expect } from 'chai';
import { decodeInTurns } from '../../src/queries/decode-in-turns.js';

/** Number of turns for other work during some work. */
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

describe('decodeInTurns', () => {
  it('decodes all rows in their order', async () => {
    const rows = numbers(5_500);
    expect(await decodeInTurns(rows, (row) => row + 1)).to.deep.equal(rows.map((row) => row + 1));
  });

  it('lets other work run after every thousand rows', async () => {
    expect(await turnsDuring(decodeInTurns(numbers(10_000), (row) => row))).to.be.at.least(8);
  });

  it('rejects with the error of a row', async () => {
    const failure: unknown = await decodeInTurns(numbers(3_000), () => {
      throw new RangeError('damaged');
    }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(RangeError);
  });
});
