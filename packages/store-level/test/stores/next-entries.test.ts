import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import { AUDIT_BEGINNING, type AuditEntry, type AuditHead } from '@tallybook/domain/access';
import { rowName, Rows } from '../../src/rows/rows.js';
import { unseal } from '../../src/rows/seal.js';
import { decodeAuditEntries, decodeAuditHead } from '../../src/rows/service/audit-rows.js';
import { NextEntries, Refusal } from '../../src/stores/next-entries.js';
import {
  AUDIT_ROW_MAX,
  auditHeadKey,
  auditKey,
  numbersOfAuditKey,
} from '../../src/rows/service/service-keys.js';

const beginning: AuditHead = { number: 0, hash: AUDIT_BEGINNING };

function headOf(number: number, fill = 'a'): AuditHead {
  return { number, hash: String(number).padStart(64, fill) };
}

function entryAfter({ number, hash: previous }: AuditHead): AuditEntry {
  const [at, hash] = [toTimestamp(1_763_500_000), headOf(number + 1).hash];
  return { number: number + 1, at, actor: 'ada', action: 'name-set', details: {}, previous, hash };
}

/** Puts the rows, and reads what was put. */
function appended(entries: NextEntries, start: AuditHead) {
  const rows = new Rows(new Map());
  const outcomes = entries.append(rows, start);
  const head = rows.changes.get(rowName(auditHeadKey))?.value;
  return {
    outcomes,
    end: head && decodeAuditHead(head),
    entries: rows.added.flatMap(({ key, sealed }) => decodeAuditEntries(key, unseal(key, sealed))),
    counts: rows.added.map(({ key }) => numbersOfAuditKey(key).count),
  };
}

describe('NextEntries', () => {
  let next: NextEntries;

  beforeEach(() => {
    next = new NextEntries(headOf(4));
  });

  it('makes entries when it is told to, and the others when they are appended: each once if the trail ends where it was expected to', () => {
    const ends: AuditHead[] = [];
    const choose = (end: AuditHead): AuditEntry => {
      ends.push(end);
      return entryAfter(end);
    };
    expect([next.add(choose), next.add(choose)]).to.deep.equal([0, 1]);
    expect(ends).to.deep.equal([]);
    expect(next.end).to.deep.equal(headOf(4));
    next.make();
    next.make();
    expect(ends).to.deep.equal([headOf(4), headOf(5)]);
    expect(next.end).to.deep.equal(headOf(6));
    expect(next.add(choose)).to.equal(2);
    expect(appended(next, headOf(4))).to.deep.equal({
      outcomes: [true, true, true],
      end: headOf(7),
      entries: [entryAfter(headOf(4)), entryAfter(headOf(5)), entryAfter(headOf(6))],
      counts: [2, 1],
    });
    expect(ends).to.deep.equal([headOf(4), headOf(5), headOf(6)]);
    expect(next.end).to.deep.equal(headOf(7));
  });

  for (const [where, start] of [
    ['at another number', headOf(7)],
    ['with another hash', headOf(4, 'b')],
    ['at its beginning', beginning],
  ] as const) {
    it(`makes all entries again if the trail ends ${where}`, () => {
      next.add(entryAfter);
      next.add(entryAfter);
      next.make();
      next.add(entryAfter);
      const first = entryAfter(start);
      const second = entryAfter(first);
      const { number } = first;
      expect(appended(next, start)).to.deep.equal({
        outcomes: [true, true, true],
        end: headOf(number + 2),
        entries: [first, second, entryAfter(second)],
        counts: [3],
      });
      expect(next.end).to.deep.equal(headOf(number + 2));
    });
  }

  it('asks a caller that gave no entry, or threw, again when the trail ends elsewhere', () => {
    next.add((end) => (end.number === 0 ? entryAfter(end) : undefined));
    next.add((end) => {
      if (end.number === 4) throw new RangeError('not after this one');
      return entryAfter(end);
    });
    next.make();
    const { outcomes, entries } = appended(next, beginning);
    expect(outcomes).to.deep.equal([true, true]);
    expect(entries.map(({ number }) => number)).to.deep.equal([1, 2]);
  });

  it('refuses a caller that throws, and appends the entries of the others one after the other', () => {
    const reason = new RangeError('there is no entry');
    next.add(entryAfter);
    next.add(() => {
      throw reason;
    });
    next.add(() => undefined);
    next.add(entryAfter);
    expect(next.count).to.equal(4);
    const { outcomes, entries } = appended(next, headOf(4));
    expect(outcomes).to.deep.equal([true, new Refusal(reason), false, true]);
    expect((outcomes[1] as Refusal).reason).to.equal(reason);
    expect(entries.map(({ number }) => number)).to.deep.equal([5, 6]);
  });

  it('puts entries that are made together into rows of up to 32', () => {
    for (let n = 0; n < 2 * AUDIT_ROW_MAX + 1; n++) next.add(entryAfter);
    const { entries, counts } = appended(next, headOf(4));
    expect(counts).to.deep.equal([32, 32, 1]);
    expect(entries.map(({ number }) => number)).to.deep.equal(Array.from({ length: 65 }, (_, n) => n + 5));
    const full = new NextEntries(headOf(4));
    for (let n = 0; n < AUDIT_ROW_MAX; n++) full.add(entryAfter);
    expect(appended(full, headOf(4)).counts).to.deep.equal([32]);
  });

  it('begins a row after numbers that are left out', () => {
    next.add(entryAfter);
    next.add(entryAfter);
    next.add(() => entryAfter(headOf(8)));
    next.add(entryAfter);
    const { entries, counts, end } = appended(next, headOf(4));
    expect(entries.map(({ number }) => number)).to.deep.equal([5, 6, 9, 10]);
    expect(counts).to.deep.equal([2, 2]);
    expect(end).to.deep.equal(headOf(10));
  });

  it('puts no row if nobody gave an entry', () => {
    next.add(() => undefined);
    const rows = new Rows(new Map([[rowName(auditKey(4)), { key: auditKey(4), value: undefined }]]));
    expect(next.append(rows, headOf(4))).to.deep.equal([false]);
    expect(rows.hasChanged).to.equal(false);
    expect(next.end).to.deep.equal(headOf(4));
  });
});
