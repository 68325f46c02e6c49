import { addScan, mergeEntries, parseTallyId, toTimestamp, type Entry } from '@tallybook/domain';
import { ENTRY_COUNT_MAX } from '../../src/values/record/attendance-day.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { entriesOf, forAll, tallyIds, timestamps } from '../fixtures/arbitraries.js';

const id = parseTallyId('04A2B3C4D5');

describe('addScan', () => {
  it('keeps the largest count, so that the tag can still be recorded', () => {
    const second = toTimestamp(1);
    const entry: Entry = { id, first: second, last: second, count: ENTRY_COUNT_MAX };
    expect(addScan(entry, id, toTimestamp(2)).count).to.equal(ENTRY_COUNT_MAX);
  });

  it('keeps the earliest, the latest and the number of distinct scans, in any order', () => {
    const scans = fc.uniqueArray(timestamps, { minLength: 1 });
    forAll([tallyIds, scans], (tag, times) => {
      let entry: Entry | undefined;
      for (const at of times) entry = addScan(entry, tag, at);
      expect(entry).to.deep.equal({
        id: tag,
        first: Math.min(...times),
        last: Math.max(...times),
        count: times.length,
      });
    });
  });

  it('does not change the given entry', () => {
    forAll([entriesOf(id), timestamps], (entry, at) => {
      const before = { ...entry };
      addScan(entry, id, at);
      expect(entry).to.deep.equal(before);
    });
  });
});

describe('mergeEntries', () => {
  it('gives the other entry if there is none yet', () => {
    forAll([entriesOf(id)], (entry) => {
      expect(mergeEntries(undefined, entry)).to.deep.equal(entry);
    });
  });

  it('is idempotent', () => {
    forAll([entriesOf(id), entriesOf(id)], (a, b) => {
      const once = mergeEntries(a, b);
      expect(mergeEntries(once, b)).to.deep.equal(once);
      expect(mergeEntries(a, a)).to.deep.equal(a);
    });
  });

  it('is commutative', () => {
    forAll([entriesOf(id), entriesOf(id)], (a, b) => {
      expect(mergeEntries(a, b)).to.deep.equal(mergeEntries(b, a));
    });
  });

  it('is associative', () => {
    forAll([entriesOf(id), entriesOf(id), entriesOf(id)], (a, b, c) => {
      expect(mergeEntries(mergeEntries(a, b), c)).to.deep.equal(mergeEntries(a, mergeEntries(b, c)));
    });
  });

  it('counts no scan that neither entry has', () => {
    const scans = fc.uniqueArray(fc.nat(50), { minLength: 1 });
    forAll([scans, scans], (a, b) => {
      const union = new Set([...a, ...b]);
      const merged = mergeEntries(entryOf(a), entryOf(b));
      expect(merged.first).to.equal(Math.min(...union));
      expect(merged.last).to.equal(Math.max(...union));
      expect(merged.count).to.be.within(Math.max(a.length, b.length), union.size);
    });
  });
});

function entryOf([first = 0, ...later]: readonly number[]): Entry {
  const initial = addScan(undefined, id, toTimestamp(first));
  return later.reduce((entry, at) => addScan(entry, id, toTimestamp(at)), initial);
}
