import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp, type Entry, type TallyId } from '@tallybook/domain';
import { decodeDay, decodeEntry, encodeDay, encodeEntry } from '../../src/rows/codec.js';
import { dayKey, ENTRY, entryKey, idOfEntryKey, scanKey, scanOfKey, SCAN } from '../../src/rows/keys.js';
import { mendDay } from '../../src/repair/mend-day.js';
import { openRaw, type RawLevel } from '../../src/level/raw-level.js';
import { writeRows, type Row } from '../../src/rows/rows.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const day = toDay(20_411);
const ada = parseTallyId('000001');
const bob = parseTallyId('000002');
const carl = parseTallyId('000003');
const dora = parseTallyId('000004');
const at = (second: number) => toTimestamp(1_763_500_000 + second);

const entryOf = (id: TallyId, first: number, last: number, count: number): Entry => ({
  id,
  first: at(first),
  last: at(last),
  count,
});
const entryRow = (entry: Entry, order: number): Row => ({
  key: entryKey(day, entry.id),
  value: encodeEntry({ entry, order }),
});
const scanRow = (id: TallyId, second: number): Row => ({
  key: scanKey(day, id, at(second)),
  value: Buffer.alloc(0),
});
const dayRow = (count: number): Row => ({ key: dayKey(day), value: encodeDay(count) });

/** The changes of a repaired day, as text. */
interface Mending {
  readonly entries: readonly (readonly [number, Entry])[];
  readonly scansGone: readonly (readonly [TallyId, number])[];
  /** The number of entries in the row of the day; `undefined` if the row is removed. */
  readonly count: number | undefined;
}

describe('mendDay', () => {
  let raw: RawLevel;
  // Before its folder is removed: LevelDB may still be writing to it.
  afterEach(() => raw.close());
  const directory = useTempDirectory();

  beforeEach(async () => {
    raw = await openRaw(directory.path, true);
  });

  async function mend(...rows: readonly Row[]): Promise<Mending> {
    await writeRows(raw, rows);
    const mended = await mendDay(raw, day);
    const last = mended.at(-1);
    expect(last?.key).to.deep.equal(dayKey(day));
    return {
      entries: mended.flatMap(({ key, value }) => {
        if (key[0] !== ENTRY || value === undefined) return [];
        const { entry, order } = decodeEntry(idOfEntryKey(key), value);
        return [[order, entry] as const];
      }),
      scansGone: mended.flatMap(({ key, value }) => {
        if (key[0] !== SCAN) return [];
        expect(value).to.equal(undefined);
        const scan = scanOfKey(key);
        return [[scan.id, scan.at - at(0)] as const];
      }),
      count: last?.value === undefined ? undefined : decodeDay(last.value),
    };
  }

  it('does not change consistent rows', async () => {
    const entries = [entryOf(bob, 0, 9, 3), entryOf(ada, 1, 1, 1)] as const;
    const rows = [entryRow(entries[0], 0), entryRow(entries[1], 1), scanRow(bob, 5), dayRow(2)];
    expect(await mend(...rows)).to.deep.equal({
      entries: [
        [0, entries[0]],
        [1, entries[1]],
      ],
      scansGone: [],
      count: 2,
    });
  });

  it('closes the gaps in the order, and does not change it', async () => {
    const entries = [entryOf(carl, 3, 3, 1), entryOf(ada, 9, 9, 1), entryOf(bob, 1, 1, 1)] as const;
    expect(
      await mend(entryRow(entries[0], 2), entryRow(entries[1], 5), entryRow(entries[2], 7)),
    ).to.deep.equal({
      entries: [
        [0, entries[0]],
        [1, entries[1]],
        [2, entries[2]],
      ],
      scansGone: [],
      count: 3,
    });
  });

  it('makes lost entries from their scans, and puts them last, the earliest first', async () => {
    const known = entryOf(bob, 50, 50, 1);
    const scans = [
      scanRow(ada, 30),
      scanRow(ada, 40),
      scanRow(ada, 35),
      scanRow(carl, 10),
      scanRow(dora, 20),
    ];
    expect(await mend(entryRow(known, 0), ...scans, dayRow(1))).to.deep.equal({
      entries: [
        [0, known],
        [1, entryOf(carl, 10, 10, 1)],
        [2, entryOf(dora, 20, 20, 1)],
        [3, entryOf(ada, 30, 40, 3)],
      ],
      // The entry holds its first and its last scan.
      scansGone: [
        [ada, 30],
        [ada, 40],
        [carl, 10],
        [dora, 20],
      ],
      count: 4,
    });
  });

  it('extends an older entry by unknown scans, with its count as a lower bound', async () => {
    const older = entryOf(ada, 10, 20, 2);
    expect(await mend(entryRow(older, 0), scanRow(ada, 5), scanRow(ada, 15), scanRow(ada, 30))).to.deep.equal(
      {
        entries: [[0, entryOf(ada, 5, 30, 5)]],
        scansGone: [
          [ada, 5],
          [ada, 30],
        ],
        count: 1,
      },
    );
  });

  it('removes the row of a day without entries', async () => {
    expect(await mend(dayRow(3))).to.deep.equal({ entries: [], scansGone: [], count: undefined });
  });

  it('ignores rows of other days', async () => {
    const other = toDay(day + 1);
    const rows = [
      { key: entryKey(other, ada), value: encodeEntry({ entry: entryOf(ada, 0, 0, 1), order: 0 }) },
      { key: scanKey(other, bob, at(3)), value: Buffer.alloc(0) },
    ];
    expect(await mend(...rows)).to.deep.equal({ entries: [], scansGone: [], count: undefined });
  });
});
