import assert from 'node:assert/strict';
import { type Journal } from '@tallybook/domain';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { useOwnServer, useStorages } from '../fixtures/postgres.js';
import { has } from '../fixtures/has.js';
import { ada, day, at } from '../../../testing/test/fixtures/known-values.js';

async function countChanges(journal: Journal): Promise<number> {
  const page = await journal.read(0, 100_000);
  assert.ok(page.isKnown);
  return page.entries.length;
}

describe('When the PostgreSQL goes away', () => {
  const server = useOwnServer();
  const storageOf = useStorages();

  afterEach(() => server.resume());

  let sites = 0;
  const open = (retryMs: number): Promise<InnerStorage> =>
    storageOf(`${server.url}?site=s${sites++}`, { retryMs });

  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    it(`rejects, and recovers by itself when the database is back after ${signal}`, async () => {
      const { days, mapping } = await open(0);
      await days.record(day, ada, at(0));
      await server.end(signal);
      await assert.rejects(days.record(day, ada, at(1)), has('STORE_WRITE_FAILED'));
      await assert.rejects(days.load(day), has('STORE_READ_FAILED'));
      await assert.rejects(mapping.snapshot(), has('STORE_READ_FAILED'));
      await server.resume();
      assert.equal(await days.record(day, ada, at(1)), 'already-counted');
      assert.deepEqual((await days.load(day))?.entries, [{ id: ada, first: at(0), last: at(1), count: 2 }]);
      await using snapshot = await mapping.snapshot();
      assert.deepEqual(await snapshot.page(undefined, 1), []);
    });

    it(`writes once the calls from the time of an outage after ${signal}`, async () => {
      const { days, journal } = await open(30_000);
      await days.record(day, ada, at(0));
      await server.end(signal);
      const writes = [1, 2, 3].map((second) => days.record(day, ada, at(second)));
      await server.resume();
      assert.deepEqual(new Set(await Promise.all(writes)), new Set(['already-counted']));
      assert.equal(await countChanges(journal), 4);
    });
  }

  it('loses no acknowledged write, and counts nothing twice, when the database is killed during writes', async () => {
    const { days, journal } = await open(30_000);
    const acknowledged: number[] = [];
    let second = 0;
    const writing = { isOver: false };
    const write = async (): Promise<void> => {
      while (!writing.isOver) {
        const mine = second++;
        await days.record(day, ada, at(mine));
        acknowledged.push(mine);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    for (let round = 1; round <= 3; round++) {
      const before = acknowledged.length;
      while (acknowledged.length < before + 50) await new Promise((resolve) => setImmediate(resolve));
      await server.end('SIGKILL');
      await server.resume();
    }
    writing.isOver = true;
    await Promise.all(writers);
    assert.deepEqual(await days.scans(day, ada), acknowledged.sort((a, b) => a - b).map(at));
    assert.equal(await countChanges(journal), acknowledged.length);
  });
});
