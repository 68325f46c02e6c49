import assert from 'node:assert/strict';
import type { ErasureStore } from '@tallybook/domain/record';
import type { ContractCase } from '../../../runner.js';
import { ada, at, bob, fill, now, request } from './erasure-data.js';
import { onStores, type MakeErasures } from './erasure-subject.js';

/** Refusing scans after an erasure, and for how long. */
export const refusingCases: readonly ContractCase<MakeErasures>[] = [
  onStores('refuses an erased tag from the call on, and no other', async ({ erasures }) => {
    const erasing = erasures.erase({ ids: [ada], ...request });
    assert.equal(erasures.refusedUntil(ada), now);
    assert.equal(erasures.refusedUntil(bob), undefined);
    await erasing;
    assert.equal(erasures.refusedUntil(ada), now);
  }),
  onStores(
    'refuses the tag of an erasure of a backup from the call on, and no other',
    async ({ erasures }) => {
      await erasures.erase({ ids: [ada], ...request });
      const taken = await erasures.list();
      await erasures.expire(request.expiresAt);
      const adding = erasures.add(taken, at(100_100));
      assert.equal(erasures.refusedUntil(ada), now);
      assert.equal(erasures.refusedUntil(bob), undefined);
      await adding;
      assert.equal(erasures.refusedUntil(ada), now);
    },
  ),
  onStores('still refuses after a restart', async (subject) => {
    await subject.erasures.erase({ ids: [ada], ...request });
    const before = await subject.erasures.list();
    const { erasures } = await subject.restart();
    assert.equal(erasures.refusedUntil(ada), now);
    assert.deepEqual(await erasures.list(), before);
  }),
  onStores('refuses up to the latest of the erasures of a tag, whatever their keys', async ({ erasures }) => {
    for (const [one, other] of [
      [at(50), at(6)],
      [at(60), at(70)],
    ] as const) {
      await erasures.erase({ ids: [ada], until: one, expiresAt: at(100) });
      const [taken] = await erasures.list();
      assert.ok(taken !== undefined);
      // Then its key is forgotten, so the next erasure has another key.
      await erasures.expire(at(100));
      await erasures.erase({ ids: [ada], until: other, expiresAt: at(100) });
      await erasures.add([taken], at(90));
      assert.equal(erasures.refusedUntil(ada), one > other ? one : other);
      await erasures.expire(at(100));
    }
  }),
  onStores('lets an erasure end sooner, and refuses nothing later any more', async (subject) => {
    await fill(subject);
    const { erasures, journal } = subject;
    const endsOf = (store: ErasureStore) => [ada, bob].map((id) => store.refusedUntil(id));
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
  }),
  onStores('lets an erasure end sooner while it is scrubbed', async (subject) => {
    await fill(subject);
    const { erasures } = subject;
    await erasures.erase({ ids: [ada], ...request });
    const [erasure] = await erasures.list();
    assert.ok(erasure !== undefined);
    const scrubbing = erasures.scrub();
    await erasures.shorten([{ ...erasure, until: at(90_000), expiresAt: at(190_000) }]);
    await scrubbing;
    assert.equal(erasures.refusedUntil(ada), at(90_000));
    const { erasures: again } = await subject.restart();
    assert.equal(again.refusedUntil(ada), at(90_000));
  }),
  onStores('does not keep an erasure that is to end sooner and is not there', async ({ erasures }) => {
    await erasures.erase({ ids: [ada], ...request });
    const taken = await erasures.list();
    await erasures.expire(request.expiresAt);
    await erasures.shorten(taken);
    assert.deepEqual(await erasures.list(), []);
    assert.equal(erasures.refusedUntil(ada), undefined);
  }),
  onStores('forgets an erasure when its time is over, and not before', async ({ erasures }) => {
    await erasures.erase({ ids: [ada], ...request });
    assert.equal(await erasures.expire(at(199_999)), 0);
    assert.equal(erasures.refusedUntil(ada), now);
    assert.equal(await erasures.expire(at(200_000)), 1);
    assert.equal(erasures.refusedUntil(ada), undefined);
    assert.deepEqual(await erasures.list(), []);
  }),
];
