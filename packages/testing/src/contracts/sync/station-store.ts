import assert from 'node:assert/strict';
import type { RefusedItem, StationNotes, StationStatus, StationStore } from '@tallybook/domain/sync';
import { casesOf, type TestRunner } from '../../runner.js';
import { at, oddNames } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

const status: StationStatus = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.2.3' };
const notes: StationNotes = { heardAt: at(0), status, refused: [] };
const refusal = (cursor: number, message = 'no'): RefusedItem => ({ cursor, code: 'TAG_ERASED', message });

/** Checks the promises of {@link StationStore}. */
export function stationStoreContract(runner: TestRunner, options: StoreContractOptions<StationStore>): void {
  runStoreContract(runner, options, {
    port: 'a StationStore',
    operations: {
      progress: (store) => store.progress('gate', 'run'),
      acknowledge: (store) => store.acknowledge('gate', 'run', 1, notes),
      list: (store) => store.list(),
      remove: (store) => store.remove('gate'),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<StationStore>, {
  'has no stations at first': async (store) => {
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.progress('gate', 'run'), 0);
    assert.equal(await store.remove('gate'), false);
    assert.deepEqual(await store.list(), []);
  },
  'has how far a run of a station was acknowledged': async (store) => {
    for (const through of [0, 1, 300, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      await store.acknowledge('gate', 'run', through, notes);
      assert.equal(await store.progress('gate', 'run'), through);
      assert.deepEqual(await store.list(), [
        { name: 'gate', run: 'run', acknowledged: through, heardAt: at(0), status, refused: [] },
      ]);
    }
    assert.equal(await store.progress('gate', 'other'), 0);
    assert.equal(await store.progress('door', 'run'), 0);
  },
  'never goes back, and takes the notes all the same': async (store) => {
    await store.acknowledge('gate', 'run', 10, { ...notes, heardAt: at(5) });
    const later = { heardAt: at(3), status: { ...status, waiting: 7 }, refused: [refusal(9)] };
    await store.acknowledge('gate', 'run', 9, later);
    assert.equal(await store.progress('gate', 'run'), 10);
    const [record] = await store.list();
    assert.deepEqual(record, {
      ...{ name: 'gate', run: 'run', acknowledged: 10, heardAt: at(3), status: later.status },
      refused: [{ ...refusal(9), run: 'run', at: at(3) }],
    });
  },
  'keeps stations and runs apart, whatever their names are': async (store) => {
    for (const [index, name] of oddNames.entries()) {
      await store.acknowledge(name, 'run', index + 1, notes);
      if (index < 8) await store.acknowledge('gate', name, index + 101, notes);
    }
    for (const [index, name] of oddNames.entries()) {
      assert.equal(await store.progress(name, 'run'), index + 1);
      if (index < 8) assert.equal(await store.progress('gate', name), index + 101);
    }
    const longest = '路'.repeat(200);
    await store.acknowledge(longest, 'run', 5, notes);
    assert.equal(await store.progress(longest, 'run'), 5);
    assert.deepEqual(
      (await store.list()).map(({ name }) => name),
      [...oddNames, 'gate', longest].sort(),
    );
  },
  'keeps the 8 runs of a station that were acknowledged last': async (store) => {
    for (let run = 1; run <= 8; run++) await store.acknowledge('gate', `run ${run}`, run, notes);
    // A smaller cursor is noted too.
    await store.acknowledge('gate', 'run 1', 0, notes);
    await store.acknowledge('gate', 'run 9', 9, notes);
    const progress = (run: number): Promise<number> => store.progress('gate', `run ${run}`);
    assert.deepEqual(await Promise.all([1, 2, 3, 8, 9].map(progress)), [1, 0, 3, 8, 9]);
  },
  'has the run of a station that was acknowledged last': async (store) => {
    await store.acknowledge('gate', 'b', 20, notes);
    await store.acknowledge('gate', 'a', 10, notes);
    await store.acknowledge('gate', 'b', 15, notes);
    const [record, ...others] = await store.list();
    assert.deepEqual([record?.run, record?.acknowledged, others], ['b', 20, []]);
  },
  'has how a station was when it was heard last': async (store) => {
    const busy: StationStatus = {
      ...{ waiting: 2 ** 40, oldestWaitingAt: at(-9), provisional: 3 },
      ...{ isClockTrusted: false, version: 'ß'.repeat(64) },
    };
    await store.acknowledge('gate', 'run', 1, { ...notes, status: busy });
    assert.deepEqual((await store.list())[0]?.status, busy);
    await store.acknowledge('gate', 'run', 1, notes);
    assert.deepEqual((await store.list())[0]?.status, status);
  },
  'keeps what was refused in the order of coming, each once': async (store) => {
    await store.acknowledge('gate', 'a', 9, { ...notes, refused: [refusal(7, 'ä'), refusal(9)] });
    await store.acknowledge('gate', 'b', 9, { ...notes, heardAt: at(1), refused: [refusal(7)] });
    await store.acknowledge('gate', 'a', 9, { ...notes, heardAt: at(2), refused: [refusal(7, 'again')] });
    await store.acknowledge('gate', 'a', 10, notes);
    assert.deepEqual((await store.list())[0]?.refused, [
      { ...refusal(9), run: 'a', at: at(0) },
      { ...refusal(7), run: 'b', at: at(1) },
      { ...refusal(7, 'again'), run: 'a', at: at(2) },
    ]);
  },
  'keeps the 100 items of a station that were refused last': async (store) => {
    for (let start = 0; start < 150; start += 30) {
      const refused = Array.from({ length: 30 }, (_, n) => refusal(start + n + 1));
      await store.acknowledge('gate', 'run', start + 30, { ...notes, refused });
    }
    await store.acknowledge('door', 'run', 1, { ...notes, refused: [refusal(1)] });
    const [door, gate] = await store.list();
    assert.deepEqual(
      gate?.refused.map(({ cursor }) => cursor),
      Array.from({ length: 100 }, (_, n) => n + 51),
    );
    assert.equal(door?.refused.length, 1);
  },
  'forgets a station that is removed, and no other one': async (store) => {
    for (const name of ['door', 'gate', 'gate 2']) {
      await store.acknowledge(name, 'run', 5, { ...notes, refused: [refusal(5)] });
    }
    assert.equal(await store.remove('gate'), true);
    assert.equal(await store.progress('gate', 'run'), 0);
    assert.deepEqual(
      (await store.list()).map(({ name }) => name),
      ['door', 'gate 2'],
    );
    assert.equal(await store.remove('gate'), false);
    await store.acknowledge('gate', 'other', 1, notes);
    assert.equal(await store.progress('gate', 'run'), 0);
    assert.deepEqual((await store.list())[1]?.refused, []);
  },
  'loses nothing of what is acknowledged at the same time': async (store) => {
    const runs = Array.from({ length: 8 }, (_, n) => `run ${n}`);
    const cursors = [3, 9, 1, 7];
    await Promise.all(
      runs.flatMap((run) =>
        cursors.map((cursor) =>
          store.acknowledge('gate', run, cursor, { ...notes, refused: [refusal(cursor)] }),
        ),
      ),
    );
    assert.deepEqual(
      await Promise.all(runs.map((run) => store.progress('gate', run))),
      runs.map(() => 9),
    );
    assert.equal((await store.list())[0]?.refused.length, 32);
  },
});

const restartCases = casesOf(acrossRestart<StationStore>, {
  'keeps what it acknowledged across a restart': [
    async (store) => {
      await store.acknowledge('door', 'run', 7, { ...notes, refused: [refusal(6), refusal(7, 'Zoë')] });
      for (let run = 1; run <= 9; run++) await store.acknowledge('gate', `run ${run}`, run, notes);
      await store.acknowledge('lost', 'run', 7, notes);
      await store.remove('lost');
    },
    async (store) => {
      const [door, gate, ...others] = await store.list();
      assert.deepEqual(door, {
        ...{ name: 'door', run: 'run', acknowledged: 7, heardAt: at(0), status },
        refused: [
          { ...refusal(6), run: 'run', at: at(0) },
          { ...refusal(7, 'Zoë'), run: 'run', at: at(0) },
        ],
      });
      assert.deepEqual([gate?.run, gate?.acknowledged, others], ['run 9', 9, []]);
      assert.equal(await store.progress('gate', 'run 1'), 0);
      assert.equal(await store.progress('gate', 'run 2'), 2);
      assert.equal(await store.progress('lost', 'run'), 0);
      await store.acknowledge('gate', 'run 10', 10, notes);
      assert.equal(await store.progress('gate', 'run 2'), 0);
    },
  ],
});
