import { expect } from 'chai';
import { listOf, piecesOf } from '../../src/routes/list-pieces.js';

describe('The pieces of a text with lists', () => {
  for (const [first, second] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [20_000, 1],
    [1, 50_000],
  ] as const) {
    it(`are JSON with lists of ${first} and ${second} items, each of about 64 KiB`, () => {
      const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n);
      const [a, b] = [numbers(first), numbers(second)];
      const pieces = [...piecesOf('{"a":[', listOf(a, String), '],"b":[', listOf(b, String), ']}')];
      expect(pieces.join('')).to.equal(JSON.stringify({ a, b }));
      for (const piece of pieces) expect(piece.length).to.be.below(65_560);
    });
  }
});
