import { expect } from 'chai';
import { parseTallyId, type DetailedEntry, type RecordOutcome } from '@tallybook/domain';
import { decodeDay, decodeEntry, decodeFlags } from '../../src/rows/codec.js';
import { keysOfScans, mergeEntry, recordScan } from '../../src/rows/day-rows.js';
import { dayKey, entryKey, scanKey, scanOfKey, SCAN } from '../../src/rows/keys.js';
import { rowName, Rows, type RowMap } from '../../src/rows/rows.js';
import { day, at } from '../../../testing/test/fixtures/known-values.js';

const id = parseTallyId('04A2B3C4D5');

describe('The rows of a day', () => {
  let stored: RowMap;
  beforeEach(() => {
    stored = new Map();
  });

  /** Writes like the stores: needed keys are announced, and changed rows are kept. */
  function write<T>(scans: readonly number[], decide: (rows: Rows) => T): T {
    for (const key of [dayKey(day), ...keysOfScans(day, id, scans.map(at))]) {
      const name = rowName(key);
      if (!stored.has(name)) stored.set(name, { key, value: undefined });
    }
    const rows = new Rows(stored);
    const outcome = decide(rows);
    for (const [name, row] of rows.changes) stored.set(name, row);
    return outcome;
  }

  const record = (second: number, flags = 0): RecordOutcome =>
    write([second], (rows) => recordScan(rows, { day, id, at: at(second) }, { flags }));

  const merge = (first: number, last: number, count: number, scans: readonly number[] = []): void => {
    const known = scans.length === 0 ? {} : { scans: scans.map(at) };
    const other: DetailedEntry = { id, first: at(first), last: at(last), count, ...known };
    write([first, last, ...scans], (rows) => {
      mergeEntry(rows, day, other);
    });
  };

  const valueOf = (key: Buffer): Buffer => stored.get(rowName(key))?.value ?? expect.fail('there is no row');

  /** Seconds of the first and the last scan, the number of scans, and the seconds with a row of their own. */
  function content(): readonly [first: number, last: number, count: number, between: readonly number[]] {
    const { first, last, count } = decodeEntry(id, valueOf(entryKey(day, id))).entry;
    expect(decodeDay(valueOf(dayKey(day)))).to.equal(1);
    const between = [...stored.values()].filter(({ key, value }) => key[0] === SCAN && value !== undefined);
    return [
      first - at(0),
      last - at(0),
      count,
      between.map(({ key }) => scanOfKey(key).at - at(0)).sort((a, b) => a - b),
    ];
  }

  it('hold the first and the last scan only in the entry', () => {
    expect(record(10)).to.equal('counted');
    expect(content()).to.deep.equal([10, 10, 1, []]);
    expect(record(20)).to.equal('already-counted');
    expect(content()).to.deep.equal([10, 20, 2, []]);
  });

  it('hold each scan between them in a row of its own, also a former first or last one', () => {
    for (const second of [10, 20, 15, 5, 30]) record(second);
    expect(content()).to.deep.equal([5, 30, 5, [10, 15, 20]]);
  });

  it('count a scan once', () => {
    for (const second of [10, 20, 15, 15, 10, 20]) record(second);
    expect(content()).to.deep.equal([10, 20, 3, [15]]);
    expect(stored.has(rowName(scanKey(day, id, at(15))))).to.equal(true);
  });

  it('hold the known scans of both for a merged entry', () => {
    for (const second of [10, 20]) record(second);
    merge(12, 30, 4);
    const [first, last, , between] = content();
    expect([first, last, between]).to.deep.equal([10, 30, [12, 20]]);
    merge(12, 30, 4);
    expect(content()[3]).to.deep.equal([12, 20]);
  });

  it('hold the flags of the first and the last scan in the entry, and the others with their scans', () => {
    const flags = (): readonly unknown[] => [
      decodeEntry(id, valueOf(entryKey(day, id))).flags,
      ...[...stored.values()]
        .filter(({ key, value }) => key[0] === SCAN && value !== undefined)
        .map(({ key, value }) => [scanOfKey(key).at - at(0), value && decodeFlags(value)]),
    ];
    record(10, 4);
    expect(flags()).to.deep.equal([[4, 4]]);
    record(20);
    expect(flags()).to.deep.equal([[4, 0]]);
    for (const [second, each] of [
      [5, 2 ** 52],
      [10, 1],
      [30, 0],
    ] as const)
      record(second, each);
    expect(flags()).to.deep.equal([
      [2 ** 52, 0],
      [10, 5],
      [20, 0],
    ]);
    merge(1, 30, 6, [1, 5, 10, 30]);
    expect(flags()).to.deep.equal([undefined, [10, 5], [20, 0], [5, 2 ** 52]]);
  });
});
