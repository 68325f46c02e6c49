import {
  AttendanceService,
  Calendar,
  DAY_MAX,
  Timekeeper,
  toDay,
  toTimestamp,
  type Name,
  type TallyId,
} from '@tallybook/domain';
import {
  CorrectedDayStore,
  CorrectedSnapshotSource,
  RangeService,
  UnnamedTags,
} from '@tallybook/domain/record';
import type { Pause } from '../../../src/record/turns.js';
import {
  dayStoreContract,
  facetOf,
  MemoryData,
  MemoryStorage,
  ManualClock,
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  MemorySnapshotSource,
  noCorrections,
  snapshotSourceContract,
  type MemoryDays,
} from '@tallybook/testing';
import { expect } from 'chai';
import { StoresSnapshotSource } from '../../../../store-memory/src/stores-snapshot-source.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';
import { listOf } from '../../fixtures/streams.js';
import { addition } from '../../fixtures/addition.js';

const at = (day: number, seconds: number) => toTimestamp(day * 86_400 + seconds);
const noPause: Pause = () => Promise.resolve();

dayStoreContract(
  { describe, it },
  {
    name: 'CorrectedDayStore without corrections',
    durable: true,
    make: () => {
      const data = new MemoryData();
      const create = () => {
        const storage = new MemoryStorage({ data });
        return facetOf(
          Object.assign(storage, {
            days: new CorrectedDayStore({ days: storage.days, corrections: storage.corrections }),
          }),
          'days',
        );
      };
      const store = create();
      return { store, reopen: create, cleanup: () => store.close() };
    },
  },
);

snapshotSourceContract(
  { describe, it },
  {
    name: 'CorrectedSnapshotSource without approved corrections',
    make: async () => {
      const contents = {
        names: new Map<TallyId, Name>(),
        days: new Map() as MemoryDays,
        corrections: noCorrections(),
      };
      const stores = {
        mapping: new MemoryMappingStore(contents.names),
        days: new MemoryDayStore(contents.days),
        corrections: new MemoryCorrectionStore(contents.corrections),
      };
      for (const store of Object.values(stores)) await store.open();
      const cleanup = async (): Promise<void> => {
        for (const store of Object.values(stores)) await store.close();
      };
      const snapshots = new CorrectedSnapshotSource(new MemorySnapshotSource(contents));
      return { ...stores, snapshots, cleanup };
    },
  },
);

async function start() {
  const days = new MemoryDayStore();
  const corrections = new MemoryCorrectionStore();
  const mapping = new MemoryMappingStore();
  const corrected = new CorrectedDayStore({ days, corrections });
  await days.open();
  await corrections.open();
  await mapping.open();
  const snapshots = new CorrectedSnapshotSource(new StoresSnapshotSource({ mapping, days, corrections }));
  let madeAt = 0;
  const correct = (action: 'add' | 'void', day: number, id: typeof ada, second: number, more = {}) => {
    const scan = { action, day: toDay(day), id, at: at(day, second), madeAt: toTimestamp(++madeAt) };
    return corrections.correct([addition({ ...scan, ...more })]);
  };
  const tap = (day: number, id: typeof ada, second: number) => days.record(toDay(day), id, at(day, second));
  return { days, corrections, mapping, corrected, snapshots, correct, tap };
}

type Started = Awaited<ReturnType<typeof start>>;

/** The whole content of a store, and the same content in its snapshots and revisions. */
async function seen({ corrected, snapshots }: Started): Promise<Readonly<Record<number, readonly string[]>>> {
  const seen: Record<number, readonly string[]> = {};
  for (const day of await corrected.list(toDay(0), DAY_MAX)) {
    seen[day] = (await corrected.load(day))?.entries.map(({ id }) => id) ?? [];
  }
  await using snapshot = await snapshots.take();
  const taken: typeof seen = {};
  for await (const { day, entries } of snapshot.days()) {
    taken[day] = entries.map(({ id }) => id);
    expect(entries).to.deep.equal((await corrected.load(day))?.entries);
  }
  expect(taken).to.deep.equal(seen);
  return seen;
}

describe('CorrectedDayStore', () => {
  it('disposes of the snapshot below when its own is disposed of', async () => {
    const { days, mapping, corrections } = await start();
    const below = await new StoresSnapshotSource({ mapping, days, corrections }).take();
    let givenBack = 0;
    const counted = { ...below, [Symbol.asyncDispose]: async () => void givenBack++ };
    const snapshot = await new CorrectedSnapshotSource({ take: () => Promise.resolve(counted) }).take();
    expect(givenBack).to.equal(0);
    await snapshot[Symbol.asyncDispose]();
    expect(givenBack).to.equal(1);
  });

  it('shows added and void scans, in the store and in snapshots', async () => {
    const started = await start();
    const { correct, tap } = started;
    for (const day of [3, 5]) for (const id of [ada, bob]) await tap(day, id, 10);
    await correct('void', 3, ada, 10);
    await correct('add', 5, ada, 5);
    await correct('add', 2, bob, 0);
    await correct('add', 4, bob, 0);
    await correct('add', 9, bob, 0);
    await correct('add', 1, bob, 0, { state: 'pending' });
    await correct('add', 8, bob, 0, { state: 'rejected' });
    expect(await seen(started)).to.deep.equal({
      2: [bob],
      3: [bob],
      4: [bob],
      5: [ada, bob],
      9: [bob],
    });
  });

  it('keeps a day on the list if all its scans are void', async () => {
    const started = await start();
    await started.tap(3, ada, 10);
    await started.correct('void', 3, ada, 10);
    expect(await seen(started)).to.deep.equal({ 3: [] });
  });

  it('shows a tag again after its next tap, and after a correction', async () => {
    const started = await start();
    await started.tap(3, ada, 10);
    await started.correct('void', 3, ada, 10);
    await started.tap(3, ada, 20);
    const [entry] = (await started.corrected.load(toDay(3)))?.entries ?? [];
    expect(entry).to.deep.equal({ id: ada, first: at(3, 20), last: at(3, 20), count: 1, isCorrected: true });
    await started.correct('add', 3, ada, 10);
    const [whole] = (await started.corrected.load(toDay(3)))?.entries ?? [];
    expect(whole).to.deep.equal({ id: ada, first: at(3, 10), last: at(3, 20), count: 2 });
  });

  it('changes the revisions of a day after each correction, and not those of other days', async () => {
    const { corrected, correct, tap } = await start();
    await tap(3, ada, 10);
    const other = await corrected.dayRevision(toDay(4));
    let before = [await corrected.dayRevision(toDay(3)), await corrected.listRevision()];
    for (const change of [() => correct('void', 3, ada, 10), () => corrected.remove(toDay(3))]) {
      await change();
      const after = [await corrected.dayRevision(toDay(3)), await corrected.listRevision()];
      for (const [index, revision] of after.entries()) expect(revision).to.not.equal(before[index]);
      before = after;
    }
    expect(await corrected.dayRevision(toDay(4))).to.equal(other);
  });

  it('removes the corrections of a day together with the day', async () => {
    const started = await start();
    await started.tap(3, ada, 10);
    await started.correct('add', 3, bob, 10);
    await started.correct('add', 4, bob, 10);
    expect(await started.corrected.remove(toDay(3))).to.equal(true);
    expect(await seen(started)).to.deep.equal({ 4: [bob] });
    expect(await started.corrected.remove(toDay(4))).to.equal(true);
    expect(await started.corrected.remove(toDay(4))).to.equal(false);
    expect(await seen(started)).to.deep.equal({});
    expect(await started.corrections.list(toDay(0), DAY_MAX)).to.deep.equal([]);
  });

  it('explains a day with its void scans and their reasons', async () => {
    const { corrected, correct, tap } = await start();
    await tap(3, ada, 10);
    const [made] = await correct('void', 3, ada, 10);
    const explained = await corrected.explain(toDay(3));
    expect(explained?.entries).to.deep.equal([]);
    expect(explained?.voided.map(({ id }) => id)).to.deep.equal([ada]);
    expect(explained?.corrections.get(ada)).to.deep.equal([made]);
    expect(await corrected.explain(toDay(4))).to.equal(undefined);
  });
});

describe('Readers of the record', () => {
  it('see corrected people and tables', async () => {
    const { corrected: days, mapping, snapshots, correct, tap } = await start();
    await mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
    await tap(3, ada, 10);
    await tap(3, bob, 20);
    await correct('void', 3, bob, 20);
    await correct('add', 5, ada, 30);
    const ranges = new RangeService({ snapshots, mapping, days });
    const before = await ranges.revision(toDay(1), toDay(9));
    await using range = await ranges.open(toDay(1), toDay(9));
    const table = await range.table(noPause);
    expect(table.days).to.deep.equal([3, 5]);
    expect(table.people.map(({ ids }) => ids)).to.deep.equal([[ada]]);
    expect((await table.presencesOf(0)).map(({ day }) => day)).to.deep.equal([3, 5]);
    const entries = await listOf(range.entries());
    expect(entries.map(({ day, id, isCorrected }) => [day, id, isCorrected])).to.deep.equal([
      [3, ada, undefined],
      [5, ada, true],
    ]);
    await correct('add', 7, ada, 30);
    expect(await ranges.revision(toDay(1), toDay(9))).to.not.equal(before);
  });

  it('see corrected unnamed tags and attendance', async () => {
    const { corrected: days, mapping, correct, tap } = await start();
    const clock = new ManualClock();
    const calendar = new Calendar();
    const timekeeper = new Timekeeper(clock, { builtAt: 0 });
    const today = calendar.dayOf(clock.now());
    await tap(today, ada, 10);
    await correct('void', today, ada, 10);
    await correct('add', today, bob, 10);
    const attendance = new AttendanceService({ days, mapping, calendar, timekeeper });
    expect((await attendance.loadDay(today))?.entries.map(({ id }) => id)).to.deep.equal([bob]);
    await using journal = new MemoryJournal();
    await journal.open();
    const unnamed = new UnnamedTags({ days, mapping, calendar, timekeeper, journal });
    expect((await unnamed.list(5, noPause)).map(({ id }) => id)).to.deep.equal([bob]);
  });
});
