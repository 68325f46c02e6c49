import assert from 'node:assert/strict';
import type { ErasureStore } from '@tallybook/domain/record';
import { casesOf, type ContractCase } from '../../../runner.js';
import { readAll } from '../journal-subject.js';
import { ada, at, backupOf, bob, endOf, fill, first, now, request } from './erasure-data.js';
import { onStores, type MakeErasures } from './erasure-subject.js';

/** Refusing scans after an erasure, and for how long. */
export const refusingCases: readonly ContractCase<MakeErasures>[] = casesOf(onStores, {
  'refuses an erased tag from the call on, and no other': async ({ erasures }) => {
    const isRefused = (): readonly boolean[] => [
      ...[at(0), now, at(100_001), undefined].map((time) => erasures.isRefused(ada, time)),
      erasures.isRefused(bob, undefined),
    ];
    assert.deepEqual(isRefused(), [false, false, false, false, false]);
    const erasing = erasures.erase({ ids: [ada], ...request });
    assert.deepEqual(isRefused(), [true, true, false, true, false]);
    await erasing;
    assert.deepEqual(isRefused(), [true, true, false, true, false]);
  },
  'refuses the tag of an erasure of a backup from the call on, and no other': async ({ erasures }) => {
    const taken = await backupOf(erasures);
    const isRefused = (): readonly boolean[] => [
      ...[now, at(100_001)].map((time) => erasures.isRefused(ada, time)),
      erasures.isRefused(bob, undefined),
    ];
    const adding = erasures.add([taken], at(100_100));
    assert.deepEqual(isRefused(), [true, false, false]);
    await adding;
    assert.deepEqual(isRefused(), [true, false, false]);
  },
  'still refuses after a restart': async (subject) => {
    await subject.erasures.erase({ ids: [ada], ...request });
    const before = await subject.erasures.list();
    const { erasures } = await subject.restart();
    assert.equal(endOf(erasures, ada), now);
    assert.deepEqual(await erasures.list(), before);
  },
  'refuses what any of several erasures of a tag refuses': async (subject) => {
    const { erasures, days, journal } = subject;
    const taken = await backupOf(erasures);
    for (const seconds of [9, 10, 20, 21, 40, 41]) await days.record(first, ada, at(seconds));
    const latest = await journal.latest();
    const one = { ...taken, from: at(10), until: at(20) };
    const other = { ...taken, from: at(40), until: at(50) };
    await erasures.add([one, other], at(100));
    const refusedIn = (store: ErasureStore): readonly boolean[] =>
      [9, 10, 20, 21, 39, 40, 50, 51].map((seconds) => store.isRefused(ada, at(seconds)));
    const refused = [false, true, true, false, false, true, true, false];
    assert.deepEqual(refusedIn(erasures), refused);
    assert.equal(erasures.isRefused(ada, undefined), true);
    assert.deepEqual(
      (await days.load(first))?.entries.map((entry) => [entry.first, entry.last, entry.count]),
      [[at(9), at(21), 2]],
    );
    const told = (await readAll(journal, latest)).map(({ change }) => change);
    assert.ok(told.some(({ kind }) => kind === 'erased'));
    const { erasures: again } = await subject.restart();
    assert.deepEqual(refusedIn(again), refused);
    assert.deepEqual(
      again.of(ada).map(({ from, until }) => [from, until]),
      [
        [at(10), at(20)],
        [at(40), at(50)],
      ],
    );
    await again.shorten([{ ...other, until: at(45) }]);
    assert.deepEqual([again.isRefused(ada, at(20)), again.isRefused(ada, at(46))], [true, false]);
  },
  'keeps the later end of an erasure that comes again': async ({ erasures }) => {
    await erasures.erase({ ids: [ada], ...request });
    const [taken] = await erasures.list();
    assert.ok(taken !== undefined);
    for (const [seconds, expected] of [
      [99_000, 100_000],
      [100_050, 100_050],
    ] as const) {
      await erasures.add([{ ...taken, until: at(seconds) }], at(100_100));
      assert.equal(endOf(erasures, ada), at(expected));
    }
    await erasures.erase({ ids: [ada], ...request });
    assert.equal(endOf(erasures, ada), at(100_050));
  },
  'lets an erasure end sooner, and then refuses nothing later': async (subject) => {
    await fill(subject);
    const { erasures, journal } = subject;
    const endsOf = (store: ErasureStore) => [ada, bob].map((id) => endOf(store, id));
    await erasures.erase({ ids: [ada, bob], ...request });
    const [latest, all] = [await journal.latest(), await erasures.list()];
    const sooner = all.map((erasure) => ({ ...erasure, until: at(90_000), expiresAt: at(190_000) }));
    const [one, other] = sooner;
    assert.ok(one !== undefined && other !== undefined);
    // Neither an erasure that ends later, nor one with another key.
    await erasures.shorten([
      { ...one, until: at(100_001) },
      { ...other, key: 'a'.repeat(32) },
    ]);
    assert.deepEqual(endsOf(erasures), [now, now]);
    await erasures.shorten(sooner);
    assert.deepEqual(endsOf(erasures), [at(90_000), at(90_000)]);
    assert.equal(await journal.latest(), latest);
    const { erasures: again } = await subject.restart();
    assert.deepEqual(endsOf(again), [at(90_000), at(90_000)]);
    assert.equal(await again.expire(at(190_000)), 2);
  },
  'lets an erasure end sooner while it is scrubbed': async (subject) => {
    await fill(subject);
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const [erasure] = await erasures.list();
    assert.ok(erasure !== undefined);
    const scrubbing = erasures.scrub();
    await erasures.shorten([{ ...erasure, until: at(90_000), expiresAt: at(190_000) }]);
    await scrubbing;
    assert.equal(endOf(erasures, ada), at(90_000));
    const { erasures: again } = await subject.restart();
    assert.equal(endOf(again, ada), at(90_000));
  },
  'does not keep an erasure that is to end sooner and is not there': async ({ erasures }) => {
    const taken = await backupOf(erasures);
    await erasures.shorten([taken]);
    assert.deepEqual(await erasures.list(), []);
    assert.equal(endOf(erasures, ada), undefined);
  },
  'forgets an erasure when its time is over, and not before': async ({ erasures }) => {
    await erasures.erase({ ids: [ada], ...request });
    assert.equal(await erasures.expire(at(199_999)), 0);
    assert.equal(endOf(erasures, ada), now);
    assert.equal(await erasures.expire(at(200_000)), 1);
    assert.equal(endOf(erasures, ada), undefined);
    assert.deepEqual(await erasures.list(), []);
  },
});
