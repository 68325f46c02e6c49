import assert from 'node:assert/strict';
import { CommitProxy } from '../fixtures/commit-proxy.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { sql } from '../fixtures/sql.js';
import { day, at, tag } from '../../../testing/test/fixtures/known-values.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';

const TAPS = 80;

describe('A database that forgets the lock of a site', () => {
  const postgres = usePostgres();
  let site = '';
  const storageOf = useStorages();
  const proxy = useEach(() => CommitProxy.start(postgres.current.port));

  beforeEach(() => {
    site = postgres.current.site();
  });

  const serve = (): Promise<InnerStorage> => storageOf(proxy.through(site), { retryMs: 60_000 });

  it('overwrites nothing that was acknowledged, with two servers that write at the same time', async () => {
    const servers = [await serve(), await serve()];
    proxy.forgetsLocks = true;
    const write = async ({ days, corrections }: InnerStorage, first: number): Promise<void> => {
      for (let n = first; n < first + TAPS; n++) {
        await days.record(day, tag(n), at(n));
        if (n % 10 !== 0) continue;
        await corrections.correct([
          {
            ...{ action: 'add', day, id: tag(n), at: at(n + 1_000), reason: 'Forgot', author: 'desk' },
            ...{ madeAt: at(n), state: 'approved' },
          },
        ]);
      }
    };
    await Promise.all(servers.map((server, index) => write(server, index * 1_000)));
    const [{ days, journal, corrections }] = servers as [InnerStorage, InnerStorage];
    assert.equal((await days.load(day))?.entries.length, 2 * TAPS);
    const numbers = (await corrections.list(day, day)).map(({ number }) => number);
    assert.equal(new Set(numbers).size, (2 * TAPS) / 10);
    const page = await journal.read(0, 10_000);
    assert.ok(page.isKnown);
    assert.equal(page.entries.length, 2 * TAPS + (2 * TAPS) / 10);
    assert.equal(page.entries.at(-1)?.cursor, await journal.latest());
  });

  it('overwrites no revision: a change of users is seen although another server records taps meanwhile', async () => {
    const [{ days }, { access }] = [await serve(), await serve()];
    proxy.forgetsLocks = true;
    const writing = { isOver: false };
    const tap = async (): Promise<void> => {
      for (let n = 0; !writing.isOver; n++) await days.record(day, tag(n), at(n));
    };
    const tapping = tap();
    for (let n = 0; n < TAPS; n++) {
      const revision = await access.change({
        putUsers: [{ name: `u${n}`, role: 'desk', password: undefined, createdAt: at(n) }],
      });
      assert.equal(await access.revision(), revision);
    }
    writing.isOver = true;
    await tapping;
  });

  it('is written to again by itself, after a row of the site was overwritten by an older one', async () => {
    const before = await serve();
    for (let n = 0; n < 5; n++) await before.days.record(day, tag(n), at(n));
    await before.close();
    const name = /site=([^&]+)/.exec(site)?.[1];
    await sql(postgres.current.url, `UPDATE tallybook.site SET seq = 3 WHERE site = '${name}'`);
    const { days, journal } = await serve();
    await days.record(day, tag(9), at(9));
    const page = await journal.read(0, 100);
    assert.ok(page.isKnown);
    assert.equal(page.entries.length, 6);
    assert.equal(page.entries.at(-1)?.cursor, await journal.latest());
  });
});
