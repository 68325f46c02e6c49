import assert from 'node:assert/strict';
import { toDay } from '@tallybook/domain';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { VIEWS } from '../../src/database/postgres-database.js';
import { CommitProxy } from '../fixtures/commit-proxy.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { has } from '../fixtures/has.js';

const day = toDay(20_411);
const ANSWER_MS = 30_000;

describe('A read whose connection to the PostgreSQL is lost', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  const proxy = useEach(() => CommitProxy.start(postgres.current.port));
  let database: InnerStorage;
  let days: InnerStorage['days'];
  let snapshots: InnerStorage['snapshots'];
  let asked: number;

  beforeEach(async () => {
    database = await storageOf(proxy.through(postgres.current.site()));
    ({ days, snapshots } = database);
    asked = 0;
  });

  for (const [what, read] of [
    ['a day', () => days.load(day)],
    ['a snapshot', async () => (await snapshots.take())[Symbol.asyncDispose]()],
  ] as const) {
    it(`is made again on another one: ${what}`, async () => {
      await read();
      proxy.cut();
      assert.equal(await read(), undefined);
    });

    it(`rejects at the third attempt: ${what}`, async () => {
      proxy.isOpen = () => {
        asked++;
        return false;
      };
      proxy.cut();
      const { details } = await rejection(read(), 'STORE_READ_FAILED');
      assert.deepEqual(details, { retryAfterSeconds: 5 });
      // A connection that it had, and of which it did not know that it was cut, counts as an attempt.
      assert.ok(asked === 2 || asked === 3, `${asked} connections`);
    });
  }

  it('gives the place of a snapshot back, for the next one', async () => {
    const held = await Promise.all(Array.from({ length: VIEWS }, () => snapshots.take()));
    proxy.cut();
    for (const snapshot of held) await snapshot[Symbol.asyncDispose]();
    const next = await Promise.all(Array.from({ length: VIEWS }, () => snapshots.take()));
    for (const snapshot of next) await snapshot[Symbol.asyncDispose]();
  });

  it('does not use a connection again whose answer may still come', async () => {
    using timers = new RecordedTimers([ANSWER_MS]);
    const used: number[] = [];
    await assert.rejects(
      database.inner.read(async (connection) => {
        const [row] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        used.push(row?.pid ?? 0);
        const answer = connection.query('SELECT pg_sleep(0.5)');
        timers.expire(ANSWER_MS);
        return await answer;
      }),
      has('STORE_READ_FAILED'),
    );
    assert.equal(used.length, 3);
    assert.equal(new Set(used).size, 3);
  });

  it('is not made again if the statement is at fault', async () => {
    let attempts = 0;
    await assert.rejects(
      database.inner.read((connection) => {
        attempts++;
        return connection.query('SELECT nothing');
      }),
      has('STORE_READ_FAILED'),
    );
    assert.equal(attempts, 1);
  });
});
