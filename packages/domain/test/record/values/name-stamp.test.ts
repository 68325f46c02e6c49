import { toTimestamp } from '@tallybook/domain';
import { compareStamps, NO_STAMP, STAMP_COUNTER_MAX, STAMP_MS_MAX, type Stamp } from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { restoredStamp } from '../../../src/record/values/name-stamp.js';
import { nextStamp } from '../../../src/values/stamp.js';
import { forAll } from '../../fixtures/arbitraries.js';

const small = fc.record({
  ms: fc.integer({ min: 0, max: 3 }),
  counter: fc.integer({ min: 0, max: 3 }),
  node: fc.constantFrom('', 'a', 'b', 'Z'),
});

describe('compareStamps', () => {
  it('compares the time, then the counter, then the node', () => {
    const ascending: Stamp[] = [
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

  it('is later than every stamp of another place, and can be followed', () => {
    const last = { ms: STAMP_MS_MAX, counter: STAMP_COUNTER_MAX, node: 'zzz' };
    let stamp = nextStamp(last, { ms: 7, node: 'a' });
    expect(compareStamps(stamp, last)).to.be.above(0);
    for (let n = 0; n < 3; n++) stamp = nextStamp(stamp, { ms: 7, node: 'a' });
    expect(Number.isSafeInteger(stamp.ms) && stamp.counter <= STAMP_COUNTER_MAX).to.equal(true);
  });

  it('has the time if the former stamp is the last one of all', () => {
    const counter = Number.MAX_SAFE_INTEGER;
    const fresh = { ms: 7, counter: 0, node: 'a' };
    expect(nextStamp({ ms: counter, counter, node: 'b' }, { ms: 7, node: 'a' })).to.deep.equal(fresh);
    expect(nextStamp({ ms: 7, counter, node: 'b' }, { ms: 7, node: 'a' })).to.deep.equal({ ...fresh, ms: 8 });
  });
});

describe('restoredStamp', () => {
  const ada = { first: 'Ada', last: 'Lovelace' };
  const restored = (knownAt: number, nowMs: number | undefined, before?: Stamp) =>
    restoredStamp(ada, before && { name: undefined, stamp: before }, {
      knownAt: toTimestamp(knownAt),
      nowMs,
      node: 'here',
    });

  it('uses the time of the backup if the present time is unknown, up to the latest time', () => {
    expect(restored(7, undefined)).to.deep.equal({ ms: 7_000, counter: 0, node: 'here' });
    for (const knownAt of [253_402_214_400, 253_402_214_401, Number.MAX_SAFE_INTEGER]) {
      expect(restored(knownAt, undefined)).to.deep.equal({ ms: STAMP_MS_MAX, counter: 0, node: 'here' });
      expect(restored(knownAt, 9_000)).to.deep.equal({ ms: 9_000, counter: 0, node: 'here' });
    }
  });

  it('is later than the replaced stamp, also at the latest time', () => {
    const before = { ms: STAMP_MS_MAX, counter: 0, node: 'zzz' };
    expect(restored(Number.MAX_SAFE_INTEGER, undefined, before)).to.deep.equal({
      ...{ ms: STAMP_MS_MAX, counter: 1, node: 'here' },
    });
  });
});
