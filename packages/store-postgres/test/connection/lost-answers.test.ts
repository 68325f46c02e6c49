import assert from 'node:assert/strict';
import type { PostgresStorageOptions } from '@tallybook/store-postgres';
import { CommitProxy } from '../fixtures/commit-proxy.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { has } from '../fixtures/has.js';
import { ada, day, at, tag } from '../../../testing/test/fixtures/known-values.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

describe('When the answer to a COMMIT is lost', () => {
  const postgres = usePostgres();
  let url: string;
  const storageOf = useStorages();
  const proxy = useEach(() => CommitProxy.start(postgres.current.port));

  beforeEach(() => {
    url = proxy.through(postgres.current.site());
  });

  const open = (options?: PostgresStorageOptions): Promise<InnerStorage> => storageOf(url, options);

  for (const fate of ['cut-before', 'cut-after'] as const) {
    it(`counts a tag once, with the right outcome, if the connection is ${fate}`, async () => {
      const { days, journal } = await open();
      proxy.next(fate);
      assert.equal(await days.record(day, ada, at(0)), 'counted');
      assert.deepEqual((await days.load(day))?.entries, [{ id: ada, first: at(0), last: at(0), count: 1 }]);
      assert.equal(await journal.latest(), 1);
      assert.equal(await days.record(day, ada, at(0)), 'already-counted');
    });

    it(`gives each write of a group its first answer if the connection is ${fate}`, async () => {
      const { days, mapping, journal } = await open();
      proxy.next(fate, fate, fate);
      const name = { first: 'Ada', last: '' };
      const outcomes = await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => days.record(day, tag(n), at(n))),
        mapping.put(ada, name),
        mapping.put(ada, name),
        days.record(day, tag(0), at(100)),
      ]);
      assert.deepEqual(outcomes, [
        ...Array.from({ length: 20 }, () => 'counted'),
        'added',
        'replaced',
        'already-counted',
      ]);
      assert.equal((await days.load(day))?.entries.length, 20);
      assert.equal(await journal.latest(), 22);
    });
  }

  it('gives the first answer to a second call, if the rejected write happened', async () => {
    const { days, journal } = await open({ retryMs: 0 });
    proxy.next('cut-after');
    await assert.rejects(days.record(day, ada, at(0)), has('STORE_WRITE_FAILED'));
    assert.equal(await days.record(day, ada, at(5)), 'already-counted');
    assert.equal(await days.record(day, ada, at(0)), 'counted');
    assert.equal(await days.record(day, ada, at(0)), 'already-counted');
    assert.equal(await journal.latest(), 2);
  });

  it('counts a second call anew, if the rejected write did not happen', async () => {
    const { days, journal } = await open({ retryMs: 0 });
    proxy.next('cut-before');
    await assert.rejects(days.record(day, ada, at(0)), has('STORE_WRITE_FAILED'));
    assert.equal(await journal.latest(), 0);
    assert.equal(await days.record(day, ada, at(0)), 'counted');
    assert.equal(await days.record(day, ada, at(0)), 'already-counted');
  });

  it('finds out the outcome after the connection is cut repeatedly', async () => {
    const { days, journal } = await open();
    proxy.next('cut-after');
    let cuts = 0;
    // The first connections for finding out the outcome are cut as well.
    proxy.isOpen = () => ++cuts > 3;
    assert.equal(await days.record(day, ada, at(0)), 'counted');
    assert.ok(cuts > 3);
    assert.equal(await journal.latest(), 1);
  });

  it('continues after a write that the database refuses', async () => {
    const { days, journal } = await open();
    proxy.next('roll-back');
    await assert.rejects(days.record(day, ada, at(0)), has('STORE_WRITE_FAILED'));
    assert.equal(await journal.latest(), 0);
    assert.equal(await days.record(day, ada, at(0)), 'counted');
  });
});
