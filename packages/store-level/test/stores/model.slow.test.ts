import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DAY_MAX, parseTallyId, toDay, toTimestamp, type DayStore } from '@tallybook/domain';
import { MemoryDayStore, MemoryJournal, noChanges } from '@tallybook/testing';
import { checkRows } from '../fixtures/check-rows.js';
import { openStores } from '../fixtures/stores.js';

const days = [0, 20_411, 20_412].map(toDay);
const day = fc.constantFrom(...days);
const id = fc.constantFrom(...['000000', '00000000', '0000000001', 'FFFFFF'].map(parseTallyId));
const at = fc.nat(12).map(toTimestamp);
const entry = fc
  .record({ id, first: at, length: fc.nat(6), count: fc.integer({ min: 1, max: 5 }) })
  .map(({ id, first, length, count }) => ({
    id,
    first,
    last: toTimestamp(first + length),
    count: count + Number(length > 0),
  }));

type Operation = (store: DayStore) => Promise<unknown>;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({ day, id, at })
      .map(({ day, id, at }) => named(`record ${day} ${id} ${at}`, (store) => store.record(day, id, at))),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ day, entries: fc.array(entry, { maxLength: 3 }) })
      .map(({ day, entries }) =>
        named(`merge ${day} ${JSON.stringify(entries)}`, (store) => store.merge(day, entries)),
      ),
  },
  { weight: 1, arbitrary: day.map((day) => named(`remove ${day}`, (store) => store.remove(day))) },
);

/** The calls of an inner list happen at the same time; between two lists the store is closed and opened. */
const sessions = fc.array(fc.array(fc.array(operation, { maxLength: 12 }), { maxLength: 4 }), {
  maxLength: 3,
});

function named(title: string, run: Operation): Operation {
  return Object.assign(run, { [fc.toStringMethod]: () => title });
}

describe('LevelDayStore', () => {
  it('behaves like MemoryDayStore, one call after another, at the same time and across restarts', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async (sessions) => {
        const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
        const model = new MemoryDayStore();
        await model.open();
        try {
          for (const groups of sessions) {
            await using stores = await openStores(path);
            for (const group of groups) {
              const run = (store: DayStore): Promise<unknown[]> =>
                Promise.all(group.map((each) => each(store)));
              expect(await run(stores.days)).to.deep.equal(await run(model));
              expect(await contentOf(stores.days)).to.deep.equal(await contentOf(model));
            }
          }
          await checkRows(path, { areCountsExact: false });
        } finally {
          await rm(path, { recursive: true });
        }
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);

  it('gives its journal the same changes as MemoryDayStore, also across restarts', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async (sessions) => {
        const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
        const changes = noChanges();
        const model = new MemoryDayStore(new Map(), new MemoryJournal(changes));
        await model.open();
        try {
          for (const groups of sessions) {
            await using stores = await openStores(path);
            for (const group of groups) {
              const run = async (store: DayStore): Promise<void> => {
                for (const each of group) await each(store);
              };
              await run(stores.days);
              await run(model);
            }
            const page = await stores.journal.read(0, 1_000);
            expect(page).to.deep.equal({ isKnown: true, entries: changes.entries });
          }
        } finally {
          await rm(path, { recursive: true });
        }
      }),
      { numRuns: 30 },
    );
  }).timeout(60_000);
});

async function contentOf(store: DayStore): Promise<unknown> {
  return [await store.list(toDay(0), DAY_MAX), await Promise.all(days.map((each) => store.load(each)))];
}
