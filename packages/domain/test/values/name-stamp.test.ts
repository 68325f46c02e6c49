import {
  compareStamps,
  nextStamp,
  NO_STAMP,
  restoredStamp,
  toTimestamp,
  type NameStamp,
} from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll } from '../fixtures/arbitraries.js';

const small = fc.record({
  ms: fc.integer({ min: 0, max: 3 }),
  counter: fc.integer({ min: 0, max: 3 }),
  node: fc.constantFrom('', 'a', 'b', 'Z'),
});

describe('compareStamps', () => {
  it('compares the time, then the counter, then the node', () => {
    const ascending: NameStamp[] = [
      ...[NO_STAMP, { ms: 0, counter: 0, node: 'Z' }, { ms: 0, counter: 0, node: 'a' }],
      ...[
        { ms: 0, counter: 2, node: '' },
        { ms: 0, counter: 10, node: '' },
        { ms: 5, counter: 0, node: '' },
      ],
    ];
    for (const [index, one] of ascending.entries()) {
      for (const [place, other] of ascending.entries()) {
        expect(Math.sign(compareStamps(one, other))).to.equal(Math.sign(index - place));
      }
    }
  });

  it('treats a missing stamp as the earliest of all', () => {
    expect(compareStamps(undefined, NO_STAMP)).to.equal(0);
    expect(compareStamps(undefined, { ms: 0, counter: 0, node: 'a' })).to.be.below(0);
  });

  it('is a total order', () => {
    forAll([small, small, small], (a, b, c) => {
      expect(Math.sign(compareStamps(a, b))).to.equal(-Math.sign(compareStamps(b, a)));
      if (compareStamps(a, b) <= 0 && compareStamps(b, c) <= 0) expect(compareStamps(a, c)).to.be.at.most(0);
      if (compareStamps(a, b) === 0) expect(a).to.deep.equal(b);
    });
  });
});

describe('nextStamp', () => {
  it('has the time, or follows the former stamp if that is not earlier', () => {
    forAll([small, fc.integer({ min: 0, max: 4 }), fc.constantFrom('a', 'b')], (before, ms, node) => {
      const next = nextStamp(before, { ms, node });
      expect(compareStamps(next, before)).to.be.above(0);
      expect(next.node).to.equal(node);
      expect(next.ms).to.equal(Math.max(ms, before.ms));
    });
    expect(nextStamp(undefined, { ms: 7, node: 'a' })).to.deep.equal({ ms: 7, counter: 0, node: 'a' });
  });
});

describe('restoredStamp', () => {
  const ada = { first: 'Ada', last: 'Lovelace' };
  const restored = (knownAt: number, nowMs: number | undefined, before?: NameStamp) =>
    restoredStamp(ada, before && { name: undefined, stamp: before }, {
      knownAt: toTimestamp(knownAt),
      nowMs,
      node: 'here',
    });

  it('uses the time of the backup if the present time is unknown, up to the limit of a clock', () => {
    expect(restored(7, undefined)).to.deep.equal({ ms: 7_000, counter: 0, node: 'here' });
    for (const knownAt of [8_640_000_000_000, 8_640_000_000_001, Number.MAX_SAFE_INTEGER]) {
      expect(restored(knownAt, undefined)).to.deep.equal({ ms: 8.64e15, counter: 0, node: 'here' });
      expect(restored(knownAt, 9_000)).to.deep.equal({ ms: 9_000, counter: 0, node: 'here' });
    }
  });

  it('is later than the replaced stamp, also at the limit of a clock', () => {
    const before = { ms: 8.64e15, counter: 0, node: 'zzz' };
    expect(restored(Number.MAX_SAFE_INTEGER, undefined, before)).to.deep.equal({
      ...{ ms: 8.64e15, counter: 1, node: 'here' },
    });
  });
});
