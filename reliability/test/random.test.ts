import { expect } from 'chai';
import { Random } from '../random.js';

describe('Random', () => {
  it('draws the same from the same seed, and something else from another', () => {
    const draw = (random: Random): readonly number[] => Array.from({ length: 20 }, () => random.next());
    expect(draw(new Random(1))).to.deep.equal(draw(new Random(1)));
    expect(draw(new Random(1))).not.to.deep.equal(draw(new Random(2)));
    expect(draw(new Random(1).fork())).not.to.deep.equal(draw(new Random(1)));
  });

  it('draws whole numbers from the least to the most, and nothing else', () => {
    const random = new Random(1);
    const drawn = new Set(Array.from({ length: 200 }, () => random.between(3, 6)));
    expect([...drawn].sort()).to.deep.equal([3, 4, 5, 6]);
  });

  it('is true in the share of cases that is asked for', () => {
    const random = new Random(1);
    const hits = Array.from({ length: 10_000 }, () => random.chance(0.3)).filter(Boolean).length;
    expect(hits).to.be.within(2_800, 3_200);
  });

  it('picks each of some items, and refuses to pick from none', () => {
    const random = new Random(1);
    expect(new Set(Array.from({ length: 50 }, () => random.pick(['a', 'b', 'c'])))).to.have.property(
      'size',
      3,
    );
    expect(() => random.pick([])).to.throw('nothing to pick from');
  });
});
