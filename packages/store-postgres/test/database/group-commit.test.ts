import assert from 'node:assert/strict';
import { CommitProxy } from '../fixtures/commit-proxy.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { PostgresDatabase } from '../../src/database/postgres-database.js';
import { PostgresMappingStore } from '../../src/stores/postgres-mapping-store.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { has } from '../fixtures/has.js';
import { sql } from '../fixtures/sql.js';
import { day, at, tag } from '../../../testing/test/fixtures/known-values.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

describe('Writes that wait', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  const proxy = useEach(() => CommitProxy.start(postgres.current.port));
  let database: InnerStorage;
  let days: InnerStorage['days'];
  let mapping: InnerStorage['mapping'];

  beforeEach(async () => {
    database = await storageOf(proxy.through(postgres.current.site()));
    ({ days, mapping } = database);
  });

  it('share a transaction', async () => {
    const release = proxy.hold();
    const first = days.record(day, tag(0), at(0));
    const others = Array.from({ length: 100 }, (_, n) => days.record(day, tag(n + 1), at(n)));
    release();
    await Promise.all([first, ...others]);
    assert.ok(proxy.commits <= 2, `${proxy.commits} transactions for 101 taps`);
  });

  it('share the next one with those who ask again as soon as they are answered', async () => {
    const release = proxy.hold();
    const again = days.record(day, tag(0), at(0)).then(() => days.record(day, tag(0), at(1)));
    while (proxy.commits === 0) await new Promise(setImmediate);
    const other = days.record(day, tag(1), at(0));
    release();
    await Promise.all([again, other]);
    assert.equal(proxy.commits, 2);
  });

  it('are several transactions if they change more than 1,000 rows', async () => {
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => days.record(day, tag(n), at(n))));
    assert.ok(proxy.commits >= 3 && proxy.commits <= 6, `${proxy.commits} transactions for 1,000 taps`);
    assert.equal((await days.load(day))?.entries.length, 1_000);
  });

  it('cost no transaction if they change nothing', async () => {
    await days.record(day, tag(0), at(0));
    const before = proxy.commits;
    await Promise.all(Array.from({ length: 20 }, () => days.record(day, tag(0), at(0))));
    await mapping.remove(tag(1));
    await database.access.change({});
    assert.equal(proxy.commits, before);
    await mapping.put(tag(2), { first: 'Ada', last: '' });
    assert.equal(proxy.commits, before + 1);
  });

  it('leave the site to others when they have changed nothing', async () => {
    await mapping.remove(tag(1));
    const statement = `SELECT site FROM tallybook.site WHERE site = '${database.inner.site}' FOR UPDATE NOWAIT`;
    assert.equal((await sql(postgres.current.url, statement)).length, 1);
  });

  it('need no new connection after one that fails', async () => {
    await mapping.put(tag(1), { first: 'Ada', last: '' });
    let connections = 0;
    proxy.isOpen = () => ++connections > 0;
    await assert.rejects(mapping.put(tag(2), { first: 'with \0 in it', last: '' }));
    await assert.rejects(database.inner.write(() => Promise.reject(new TypeError('a mistake'))));
    await mapping.put(tag(1), { first: 'Bob', last: '' });
    assert.equal(connections, 0);
  });

  it('fail at once while the database stays away, after those that waited for it', async () => {
    // Without the other facets: erasures look for those of other servers all the time.
    await database.close();
    await using alone = new PostgresDatabase(proxy.through(postgres.current.site()));
    const mapping = new PostgresMappingStore(alone, { now: () => undefined });
    await alone.open();
    await mapping.put(tag(1), { first: 'Ada', last: '' });
    let [asked, nowMs] = [0, 0];
    const goAway = (): void => {
      proxy.isOpen = () => {
        asked++;
        nowMs += 3_000;
        return false;
      };
      proxy.cut();
    };
    /** How often the database was asked for a connection until a write was given up. */
    const attempts = async (): Promise<number> => {
      asked = 0;
      await assert.rejects(mapping.put(tag(1), { first: 'Bob', last: '' }), has('STORE_WRITE_FAILED'));
      return asked;
    };
    performance.now = () => nowMs;
    try {
      goAway();
      assert.equal(await attempts(), 2);
      assert.equal(await attempts(), 1);
      // When it was back, the next one that fails waits again.
      proxy.isOpen = () => true;
      await mapping.put(tag(1), { first: 'Bob', last: '' });
      assert.deepEqual(await mapping.get(tag(1)), { first: 'Bob', last: '' });
      goAway();
      assert.equal(await attempts(), 2);
    } finally {
      // The one of its prototype is there again.
      Reflect.deleteProperty(performance, 'now');
    }
  });

  it('go on without one that fails, which alone is rejected', async () => {
    const wrong = { first: 'with \0 in it', last: '' };
    const [before, failed, after] = await Promise.allSettled([
      mapping.put(tag(1), { first: 'Ada', last: '' }),
      mapping.put(tag(2), wrong),
      mapping.put(tag(3), { first: 'Bob', last: '' }),
    ]);
    assert.deepEqual([before.status, failed.status, after.status], ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual([...(await mapping.read()).keys()], [tag(1), tag(3)]);
  });

  it('go on without one that shows at the end only that it fails, also after others have failed', async () => {
    const [before, failed, late] = await Promise.allSettled([
      mapping.put(tag(1), { first: 'Ada', last: '' }),
      mapping.put(tag(2), { first: 'with \0 in it', last: '' }),
      database.inner.submit<undefined, undefined>((transaction) => {
        transaction.send("SELECT 1 / 0 WHERE $1 <> ''");
        return Promise.resolve([undefined]);
      }, undefined),
    ]);
    assert.deepEqual([before.status, failed.status, late.status], ['fulfilled', 'rejected', 'rejected']);
    assert.deepEqual([...(await mapping.read()).keys()], [tag(1)]);
  });

  it('are rejected, as reads and snapshots are, if somebody has removed the site', async () => {
    await sql(postgres.current.url, `DELETE FROM tallybook.site WHERE site = '${database.inner.site}'`);
    const { message } = await rejection(days.record(day, tag(1), at(0)), 'STORE_WRITE_FAILED');
    assert.match(message, /has no such site any more$/);
    await assert.rejects(days.listRevision(), has('STORE_READ_FAILED'));
    await assert.rejects(mapping.snapshot(), has('STORE_READ_FAILED'));
  });

  it('are handed over together if they concern nobody else, wherever they came between', async () => {
    const together: number[] = [];
    const apart = Object.assign(
      (_: unknown, items: readonly number[]) => {
        together.push(items.length);
        return Promise.resolve(items);
      },
      { isApart: true },
    );
    const results = await Promise.all(
      [7, 8, 9].flatMap((n) => [
        mapping.put(tag(n), { first: 'Ada', last: '' }),
        database.inner.submit<number, number>(apart, n),
      ]),
    );
    assert.deepEqual(results, ['added', 7, 'added', 8, 'added', 9]);
    assert.deepEqual(together, [3]);
  });

  it('are rejected alone as well if what they do throws', async () => {
    const [recorded, thrown, put] = await Promise.allSettled([
      days.record(day, tag(0), at(0)),
      database.inner.write(() => Promise.reject(new TypeError('a mistake'))),
      mapping.put(tag(1), { first: 'Ada', last: '' }),
    ]);
    assert.deepEqual([recorded.status, put.status], ['fulfilled', 'fulfilled']);
    assert.ok(thrown.status === 'rejected' && thrown.reason instanceof TypeError);
  });
});
