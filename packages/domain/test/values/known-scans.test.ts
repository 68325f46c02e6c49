import { parseTallyId, toTimestamp, type DetailedEntry, type Timestamp } from '@tallybook/domain';
import {
  afterErasure,
  detailedEntry,
  ENTRY_SCANS_MAX,
  joinFlags,
  knownScans,
  type KnownScan,
} from '@tallybook/domain/record';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { partsOf } from '../../src/values/record/known-scans.js';
import { forAll } from '../fixtures/arbitraries.js';

const id = parseTallyId('04A2B3C4D5');
const flags = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.maxSafeNat());
const entry = (first: number, last: number, more: object = {}): DetailedEntry => ({
  ...{ id, first: toTimestamp(first), last: toTimestamp(last), count: 9 },
  ...more,
});
const scan = (at: number, its = 0): KnownScan => ({ at: toTimestamp(at), flags: its });

/** Known scans, ascending. */
const scans = (maxLength: number): fc.Arbitrary<readonly KnownScan[]> =>
  fc
    .uniqueArray(fc.tuple(fc.nat(100_000), flags), { minLength: 1, maxLength, selector: ([at]) => at })
    .map((all) => all.sort(([a], [b]) => a - b).map(([at, its]) => scan(at, its)));

function entryOf(known: readonly KnownScan[]): DetailedEntry {
  return detailedEntry(entry(known[0]?.at ?? 0, known.at(-1)?.at ?? 0), known);
}

describe('The known scans of an entry', () => {
  it('have the first and the last one, whether listed or not', () => {
    expect(knownScans(entry(5, 5))).to.deep.equal([scan(5)]);
    expect(knownScans(entry(5, 9))).to.deep.equal([scan(5), scan(9)]);
    expect(knownScans(entry(5, 9, { scans: [7], flags: [4] }))).to.deep.equal([scan(5), scan(7, 4), scan(9)]);
    expect(knownScans(entry(5, 9, { scans: [5, 9], flags: [1, 2] }))).to.deep.equal([scan(5, 1), scan(9, 2)]);
  });

  it('are listed only if more than the first and the last one are known, or any has flags', () => {
    expect(detailedEntry(entry(5, 9), [scan(5), scan(9)])).to.deep.equal(entry(5, 9));
    expect(detailedEntry(entry(5, 9), [scan(5), scan(7), scan(9)])).to.deep.equal(
      entry(5, 9, { scans: [5, 7, 9] }),
    );
    expect(detailedEntry(entry(5, 5), [scan(5, 2)])).to.deep.equal(entry(5, 5, { scans: [5], flags: [2] }));
  });

  it('come back from an entry, and from all of its parts', () => {
    forAll([scans(3 * ENTRY_SCANS_MAX)], (known) => {
      const all = entryOf(known);
      expect(knownScans(all)).to.deep.equal(known);
      const parts = partsOf(all);
      const found = new Map<Timestamp, number>();
      for (const part of parts) {
        expect(part.scans ?? []).to.have.lengthOf.at.most(ENTRY_SCANS_MAX);
        expect([part.first, part.last, part.count]).to.deep.equal([all.first, all.last, all.count]);
        for (const each of knownScans(part))
          found.set(each.at, joinFlags(found.get(each.at) ?? 0, each.flags));
      }
      expect([...found].sort(([a], [b]) => a - b)).to.deep.equal(known.map((each) => [each.at, each.flags]));
    });
  });

  it('are left by an erasure if they are outside of it', () => {
    forAll([scans(40), fc.nat(100_000), fc.nat(100_000)], (known, a, b) => {
      const isRefused = (at: number): boolean => at >= Math.min(a, b) && at <= Math.max(a, b);
      const all = entryOf(known);
      const left = afterErasure(all, isRefused);
      const outside = known.filter(({ at }) => !isRefused(at));
      if (outside.length === known.length) expect(left).to.equal(all);
      else {
        expect(left === undefined ? [] : knownScans(left)).to.deep.equal(outside);
        if (left !== undefined) expect(left.count).to.equal(outside.length);
      }
    });
  });
});

describe('The flags of scans of one second', () => {
  it('are joined bit by bit, all 53 of them', () => {
    forAll([fc.maxSafeNat(), fc.maxSafeNat()], (one, other) => {
      expect(joinFlags(one, other)).to.equal(Number(BigInt(one) | BigInt(other)));
    });
    expect(joinFlags(2 ** 52, 1)).to.equal(2 ** 52 + 1);
    expect(joinFlags(0, 2 ** 40)).to.equal(2 ** 40);
  });
});
