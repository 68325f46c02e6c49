import {
  addScan,
  parseTallyId,
  toTimestamp,
  type AttendanceDay,
  type Entry,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { correctDay, type Correction } from '@tallybook/domain/record';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll } from '../../fixtures/arbitraries.js';
import { ada, bob, day } from '../../../../testing/test/fixtures/known-values.js';
import { addition } from '../../fixtures/addition.js';

const cyd = parseTallyId('010203');
const at = (second: number): Timestamp => toTimestamp(1_000 + second);

type Scans = Map<TallyId, Timestamp[]>;

function correction(fields: Partial<Correction>): Correction {
  return { number: 1, ...addition({ day, id: ada, at: at(0), madeAt: at(100) }), ...fields };
}

/** The record of scans, in the order of recording. */
function recordOf(scans: Scans): AttendanceDay | undefined {
  if (scans.size === 0) return undefined;
  const entries = [...scans].map(([id, seconds]) =>
    seconds.reduce<Entry | undefined>((entry, second) => addScan(entry, id, second), undefined),
  );
  return {
    day,
    entries: entries.filter((entry) => entry !== undefined).sort((a, b) => a.first - b.first),
  };
}

function correct(scans: Scans, corrections: readonly Correction[]): ReturnType<typeof correctDay> {
  return correctDay(day, { record: recordOf(scans), corrections, scans });
}

const seconds = fc.integer({ min: 0, max: 5 }).map(at);
const tags = fc.constantFrom(ada, bob, cyd);
const scansArbitrary: fc.Arbitrary<Scans> = fc
  .uniqueArray(fc.tuple(tags, fc.uniqueArray(seconds, { minLength: 1 })), { selector: ([id]) => id })
  .map((pairs) => new Map(pairs));
const correctionsArbitrary: fc.Arbitrary<readonly Correction[]> = fc
  .array(
    fc.record({
      action: fc.constantFrom('add', 'void'),
      id: tags,
      at: seconds,
      madeAt: fc.integer({ min: 0, max: 3 }).map(at),
      state: fc.constantFrom('approved', 'approved', 'pending', 'rejected'),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map((fields, index) => correction({ ...(fields as Partial<Correction>), number: index + 1 })),
  );

/** The simplest possible calculation of each tag's final entry. */
function modelOf(scans: Scans, corrections: readonly Correction[]): ReadonlyMap<TallyId, Set<Timestamp>> {
  const model = new Map([...scans].map(([id, its]) => [id, new Set(its)]));
  const approved = corrections.filter(({ state }) => state === 'approved');
  for (const { id, at: second, action } of [...approved].sort(
    (a, b) => a.madeAt - b.madeAt || a.number - b.number,
  )) {
    const its = model.get(id) ?? new Set();
    model.set(id, its);
    if (action === 'add') its.add(second);
    else its.delete(second);
  }
  return model;
}

describe('correctDay', () => {
  it('gives each tag its scans after the latest approved corrections', () => {
    forAll([scansArbitrary, correctionsArbitrary], (scans, corrections) => {
      const corrected = correct(scans, corrections);
      const expected = [...modelOf(scans, corrections)].filter(([, its]) => its.size > 0);
      const plain = (corrected?.entries ?? []).map(({ id, first, last, count }) => [id, first, last, count]);
      expect(plain).to.have.deep.members(
        expected.map(([id, its]) => [id, Math.min(...its), Math.max(...its), its.size]),
      );
    });
  });

  it('does not depend on the order or the repetition of corrections', () => {
    forAll(
      [scansArbitrary, correctionsArbitrary, fc.infiniteStream(fc.nat(100))],
      (scans, corrections, keys) => {
        const shuffled = [...corrections, ...corrections]
          .map((each) => ({ each, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(correct(scans, shuffled)).to.deep.equal(correct(scans, corrections));
      },
    );
  });

  it('sorts entries by their first scan, with each tag once', () => {
    forAll([scansArbitrary, correctionsArbitrary], (scans, corrections) => {
      const { entries = [], voided = [] } = correct(scans, corrections) ?? {};
      const firsts = entries.map(({ first }) => first);
      expect(firsts).to.deep.equal([...firsts].sort((a, b) => a - b));
      const ids = [...entries, ...voided].map(({ id }) => id);
      expect(ids.length).to.equal(new Set(ids).size);
      for (const id of scans.keys()) expect(ids).to.include(id);
    });
  });

  it('marks exactly the entries that differ from the record, or have other scans, as corrected', () => {
    forAll([scansArbitrary, correctionsArbitrary], (scans, corrections) => {
      const model = modelOf(scans, corrections);
      for (const { id, isCorrected } of correct(scans, corrections)?.entries ?? []) {
        const [before, after] = [scans.get(id) ?? [], model.get(id) ?? new Set()];
        const isSame = before.length === after.size && before.every((second) => after.has(second));
        expect(isCorrected === true).to.equal(!isSame);
      }
    });
  });

  it('gives the record itself when nothing is approved', () => {
    forAll([scansArbitrary, correctionsArbitrary], (scans, corrections) => {
      const waiting = corrections.map((each) => ({ ...each, state: 'pending' as const }));
      expect(correct(scans, waiting)?.entries).to.deep.equal(recordOf(scans)?.entries);
    });
  });

  it('has no day without a recorded or added scan', () => {
    expect(correct(new Map(), [correction({ state: 'pending' }), correction({ action: 'void' })])).to.equal(
      undefined,
    );
  });

  it('has a day without entries after its only added scan was voided', () => {
    const corrected = correct(new Map(), [
      correction({}),
      correction({ number: 2, action: 'void', madeAt: at(101) }),
    ]);
    expect(corrected?.entries).to.deep.equal([]);
    expect(corrected?.voided).to.deep.equal([{ id: ada, first: at(0), last: at(0), count: 1 }]);
  });

  it('shows a tag with only void scans, with its recorded scans', () => {
    const scans: Scans = new Map([[ada, [at(0), at(5)]]]);
    const voids = [0, 5].map((second) => correction({ number: second + 1, action: 'void', at: at(second) }));
    const corrected = correct(scans, voids);
    expect(corrected?.entries).to.deep.equal([]);
    expect(corrected?.voided).to.deep.equal([{ id: ada, first: at(0), last: at(5), count: 2 }]);
    expect([...(corrected?.corrections ?? [])]).to.deep.equal([[ada, voids]]);
  });

  it('shows a tag whose only scan waits for approval, but not if that was rejected', () => {
    const scans: Scans = new Map([[bob, [at(0)]]]);
    const waiting = correction({ state: 'pending', at: at(3) });
    const rejected = correction({ number: 2, id: cyd, state: 'rejected' });
    const corrected = correct(scans, [waiting, rejected]);
    expect(corrected?.voided).to.deep.equal([{ id: ada, first: at(3), last: at(3), count: 1 }]);
  });

  it('keeps the scans of an imported entry without known times, as long as another scan counts', () => {
    const record = { day, entries: [{ id: ada, first: at(0), last: at(5), count: 7 }] };
    const scans: Scans = new Map([[ada, [at(0), at(5)]]]);
    const first = correction({ action: 'void' });
    const last = correction({ number: 2, action: 'void', at: at(5) });
    expect(correctDay(day, { record, corrections: [first], scans })?.entries).to.deep.equal([
      { id: ada, first: at(5), last: at(5), count: 6, isCorrected: true },
    ]);
    expect(correctDay(day, { record, corrections: [first, last], scans })?.entries).to.deep.equal([]);
  });

  it('puts added tags after recorded ones of the same second', () => {
    const scans: Scans = new Map([[bob, [at(0)]]]);
    const corrected = correct(scans, [correction({}), correction({ number: 2, id: cyd })]);
    expect(corrected?.entries.map(({ id }) => id)).to.deep.equal([bob, cyd, ada]);
  });
});
