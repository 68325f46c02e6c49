import { expect } from 'chai';
import { rowName, Rows, toRow, type Row } from '../../src/rows/rows.js';
import { seal, sealText } from '../../src/rows/seal.js';

const [a, b, c, d] = [Buffer.of(1), Buffer.of(2), Buffer.of(3), Buffer.of(4)] as const;
const one = Buffer.from('one');
const two = Buffer.from('two');

function rowsOf(...rows: readonly Row[]): Rows {
  return new Rows(new Map(rows.map((row) => [rowName(row.key), row])));
}

const changesOf = (rows: Rows): readonly Row[] => [...rows.changes.values()];

describe('A row from LevelDB', () => {
  it('has the written value', () => {
    expect(toRow(a, seal(a, one))).to.deep.equal({ key: a, value: one });
  });

  it('has no value if there is none', () => {
    expect(toRow(a, undefined)).to.deep.equal({ key: a, value: undefined });
  });

  it('is known to be damaged, and to be there', () => {
    expect(toRow(a, one)).to.deep.equal({ key: a, value: one, isDamaged: true });
  });
});

describe('A text', () => {
  it('is sealed like its bytes in UTF-8', () => {
    for (const text of ['', '{"at":1}', 'Zoë "ß" \u2028', '👩‍👩‍👧‍👦'.repeat(2_000)])
      expect(sealText(b, text).equals(seal(b, Buffer.from(text))), text).to.equal(true);
  });
});

describe('Rows that a write decides on', () => {
  it('have their former values until they are changed', () => {
    const rows = rowsOf({ key: a, value: one }, { key: b, value: undefined });
    expect([rows.get(a), rows.has(a), rows.get(b), rows.has(b)]).to.deep.equal([one, true, undefined, false]);
    expect(rows.hasChanged).to.equal(false);
    rows.put(b, two);
    rows.delete(a);
    expect([rows.get(a), rows.has(a), rows.get(b), rows.has(b)]).to.deep.equal([undefined, false, two, true]);
    expect(rows.hasChanged).to.equal(true);
    expect(changesOf(rows)).to.deep.equal([
      { key: b, value: two },
      { key: a, value: undefined },
    ]);
  });

  it('do not change by putting the present value, or deleting a missing row', () => {
    const rows = rowsOf({ key: a, value: one }, { key: b, value: undefined });
    rows.put(a, Buffer.from('one'));
    rows.delete(b);
    expect(rows.hasChanged).to.equal(false);
  });

  it('are refused if they are damaged, and can be replaced', () => {
    const rows = rowsOf({ key: a, value: one, isDamaged: true });
    expect(rows.has(a)).to.equal(true);
    expect(() => rows.get(a))
      .to.throw()
      .with.property('code', 'STORE_CORRUPT');
    // The value may happen to be the read one.
    rows.put(a, one);
    expect(changesOf(rows)).to.deep.equal([{ key: a, value: one }]);
    expect(rows.get(a)).to.deep.equal(one);
  });

  it('must have been announced', () => {
    const rows = rowsOf();
    for (const use of [() => rows.get(a), () => rows.has(a), () => rows.delete(a)])
      expect(use).to.throw(RangeError);
  });

  it('may be new without an announcement, and count as a change', () => {
    const rows = rowsOf();
    const row = { key: a, sealed: seal(a, one) };
    rows.add(row);
    expect(rows.hasChanged).to.equal(true);
    expect(rows.added).to.deep.equal([row]);
    expect(changesOf(rows)).to.deep.equal([]);
  });

  it('are deleted in a range, also rows that were put before', () => {
    const rows = rowsOf(
      { key: a, value: one },
      { key: b, value: one },
      { key: c, value: undefined },
      { key: d, value: one },
    );
    const between = Buffer.of(2, 9);
    rows.put(between, two);
    rows.deleteRange({ gte: b, lt: d });
    expect(changesOf(rows)).to.deep.equal([
      { key: between, value: undefined },
      { key: b, value: undefined },
    ]);
  });
});
