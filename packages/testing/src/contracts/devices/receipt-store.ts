import assert from 'node:assert/strict';
import type { ReceiptStore } from '@tallybook/domain';
import { casesOf, type TestRunner } from '../../runner.js';
import { oddNames } from '../fixtures.js';
import { runStoreContract } from '../store-contract.js';
import { acrossRestart, onStore, type StoreContractOptions } from '../store-subject.js';

/** Checks the promises of {@link ReceiptStore}. */
export function receiptStoreContract(runner: TestRunner, options: StoreContractOptions<ReceiptStore>): void {
  runStoreContract(runner, options, {
    port: 'a ReceiptStore',
    operations: {
      latest: (store) => store.latest('door', 'run'),
      note: (store) => store.note('door', 'run', 1),
      list: (store) => store.list(),
    },
    cases,
    restartCases,
  });
}

const cases = casesOf(onStore<ReceiptStore>, {
  'has 0 for a device and a run of which nothing was noted': async (store) => {
    assert.equal(await store.latest('door', 'run'), 0);
    await store.note('door', 'run', 5);
    assert.equal(await store.latest('door', 'other'), 0);
    assert.equal(await store.latest('gate', 'run'), 0);
  },
  'has the number that was noted': async (store) => {
    for (const number of [1, 2, 300, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      await store.note('door', 'run', number);
      assert.equal(await store.latest('door', 'run'), number);
    }
  },
  'keeps the larger number when a smaller one is noted': async (store) => {
    await store.note('door', 'run', 10);
    await store.note('door', 'run', 9);
    assert.equal(await store.latest('door', 'run'), 10);
  },
  'keeps devices and runs apart, whatever their names are': async (store) => {
    for (const [index, name] of oddNames.entries()) {
      await store.note(name, 'run', index + 1);
      if (index < 8) await store.note('door', name, index + 101);
    }
    for (const [index, name] of oddNames.entries()) {
      assert.equal(await store.latest(name, 'run'), index + 1);
      if (index < 8) assert.equal(await store.latest('door', name), index + 101);
    }
  },
  'keeps the 8 runs of a device that were noted last': async (store) => {
    for (let run = 1; run <= 8; run++) await store.note('door', `run ${run}`, run);
    // A smaller number is noted too.
    await store.note('door', 'run 1', 1);
    await store.note('door', 'run 9', 9);
    const latest = (run: number): Promise<number> => store.latest('door', `run ${run}`);
    assert.deepEqual(await Promise.all([1, 2, 3, 8, 9].map(latest)), [1, 0, 3, 8, 9]);
  },
  'lists what it keeps, the runs of a device as they were noted last': async (store) => {
    assert.deepEqual(await store.list(), []);
    for (const [run, number] of [
      ['b', 2],
      ['a', 5],
      ['c', 1],
      ['b', 1],
    ] as const) {
      await store.note('door', run, number);
    }
    await store.note('gate', 'a', Number.MAX_SAFE_INTEGER);
    const list = await store.list();
    assert.deepEqual(
      list.filter(({ device }) => device === 'door'),
      [
        ['a', 5],
        ['c', 1],
        ['b', 2],
      ].map(([run, number]) => ({ device: 'door', run, number })),
    );
    assert.deepEqual(
      list.filter(({ device }) => device !== 'door'),
      [{ device: 'gate', run: 'a', number: Number.MAX_SAFE_INTEGER }],
    );
  },
  'loses nothing of what is noted at the same time': async (store) => {
    const runs = Array.from({ length: 8 }, (_, n) => `run ${n}`);
    const numbers = [3, 9, 1, 7];
    await Promise.all(runs.flatMap((run) => numbers.map((number) => store.note('door', run, number))));
    assert.deepEqual(
      await Promise.all(runs.map((run) => store.latest('door', run))),
      runs.map(() => 9),
    );
  },
});

const restartCases = casesOf(acrossRestart<ReceiptStore>, {
  'keeps what it acknowledged across a restart': [
    async (store) => {
      await store.note('door', 'run', 7);
      for (let run = 1; run <= 9; run++) await store.note('gate', `run ${run}`, run);
    },
    async (store) => {
      assert.equal(await store.latest('door', 'run'), 7);
      assert.equal(await store.latest('gate', 'run 1'), 0);
      assert.equal(await store.latest('gate', 'run 2'), 2);
      await store.note('gate', 'run 10', 10);
      assert.equal(await store.latest('gate', 'run 2'), 0);
    },
  ],
});
