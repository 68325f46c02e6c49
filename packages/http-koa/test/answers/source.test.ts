import { expect } from 'chai';
import { ListSource, type Part, type Place } from '../../src/answers/source.js';

function list(length: number): Part {
  return { length, item: String };
}

async function piecesOf(source: ListSource): Promise<string[]> {
  const pieces: string[] = [];
  let place: Place;
  do {
    const { text, next } = await source.read(place);
    pieces.push(text);
    place = next;
  } while (place !== undefined);
  return pieces;
}

describe('ListSource', () => {
  for (const [first, second] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [999, 1],
    [1_000, 1_000],
    [1_001, 2_500],
    [5_000, 1],
  ] as const) {
    it(`writes lists of ${first} and ${second} items as JSON does, in pieces`, async () => {
      const pieces = await piecesOf(
        new ListSource(['{"a":[', list(first), '],"b":[', list(second), ']}'], 0),
      );
      const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n);
      expect(pieces.join('')).to.equal(JSON.stringify({ a: numbers(first), b: numbers(second) }));
      for (const piece of pieces) expect(piece.split(',').length).to.be.at.most(1_002);
    });
  }

  it('gives the same piece for the same place, repeatedly and in any order', async () => {
    const source = new ListSource(['[', list(3_000), ']'], 0);
    const { next } = await source.read(undefined);
    const { text } = await source.read(next);
    await source.read(undefined);
    expect(await source.read(next)).to.have.property('text', text);
  });
});
