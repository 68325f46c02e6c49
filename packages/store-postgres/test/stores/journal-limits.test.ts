import assert from 'node:assert/strict';
import { PostgresStorage } from '@tallybook/store-postgres';
import { ManualClock } from '@tallybook/testing';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { ada, DAY_MS } from '../../../testing/test/fixtures/known-values.js';

describe('The journal in a PostgreSQL', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();

  it('forgets changes that are too old when there are new ones, and never the latest one', async () => {
    const clock = new ManualClock(1_763_500_000);
    const url = postgres.current.site();
    const { journal, mapping } = await storageOf(url, { clock, journal: { days: 1 } });
    for (const first of ['a', 'b', 'c']) await mapping.put(ada, { first, last: '' });
    clock.advance(3 * DAY_MS);
    assert.equal((await journal.read(0, 10)).isKnown, true);
    await mapping.put(ada, { first: 'd', last: '' });
    assert.deepEqual(await journal.read(0, 10), { isKnown: false, reason: 'too-old' });
    assert.deepEqual(await journal.read(3, 10), {
      isKnown: true,
      entries: [{ cursor: 4, change: { kind: 'name', id: ada, action: 'replaced' } }],
    });
  });

  it('refuses limits that are out of range', () => {
    for (const journal of [{ days: 0 }, { days: 3_651 }, { limit: 999 }, { limit: NaN }]) {
      assert.throws(() => new PostgresStorage('postgres://localhost/base', { journal }), RangeError);
    }
    assert.throws(() => new PostgresStorage('postgres://localhost/base', { retryMs: -1 }), RangeError);
  });
});
