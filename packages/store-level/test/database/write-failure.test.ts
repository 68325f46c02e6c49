import { cp, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DAY_MAX, isTallybookError, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { fileOf } from '../fixtures/known-directory.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { mountSmallDisk, unmount } from '../fixtures/disk/small-disk.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, bob, day } from '../../../testing/test/fixtures/known-values.js';

const at = toTimestamp(1_763_500_000);

describe('When a write fails', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();
  const failure = new Error('the disk is full');

  it('rejects all writes of the batch with STORE_WRITE_FAILED, and keeps the cause', async () => {
    await using stores = await openStores(directory.path);
    probe.current.failOnce(failure);
    const results = await Promise.allSettled([
      stores.days.record(day, ada, at),
      stores.days.record(day, ada, at),
      stores.names.put(ada, { first: 'Ada', last: 'Lovelace' }),
    ]);
    for (const result of results) {
      expect(result).to.have.nested.property('reason.code', 'STORE_WRITE_FAILED');
      expect(result).to.have.nested.property('reason.cause', failure);
    }
    expect(await stores.days.load(day)).to.equal(undefined);
    expect(await stores.names.get(ada)).to.equal(undefined);
  });

  it('opens LevelDB anew before the next write, and only once', async () => {
    await using stores = await openStores(directory.path);
    probe.current.failOnce(failure);
    await rejection(stores.days.record(day, ada, at), 'STORE_WRITE_FAILED');
    const log = await fileOf(directory.path, /\.log$/);
    await Promise.all([
      stores.days.record(day, ada, at),
      stores.days.load(day),
      stores.names.read(),
      stores.days.list(day, day),
    ]);
    const newLog = await fileOf(directory.path, /\.log$/);
    expect(newLog).not.to.equal(log);
    await stores.days.record(day, bob, at);
    expect(await fileOf(directory.path, /\.log$/)).to.equal(newLog);
  });

  it('lets reads that have begun finish before it opens LevelDB anew', async () => {
    await using stores = await openStores(directory.path);
    const ids = Array.from({ length: 3_000 }, (_, n) => parseTallyId(n.toString(16).padStart(8, '0')));
    await stores.days.merge(
      day,
      ids.map((id) => ({ id, first: at, last: at, count: 1 })),
    );
    const reads: Promise<unknown>[] = [];
    probe.current.onBatch = () => {
      probe.current.onBatch = (run) => run();
      reads.push(...Array.from({ length: 8 }, () => stores.days.load(day)));
      return Promise.reject(failure);
    };
    const results = await Promise.allSettled([
      stores.days.record(day, ada, at),
      stores.days.record(toDay(day + 1), ada, at),
    ]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
    for (const read of reads) expect(await read).to.have.nested.property('entries.length', ids.length);
  });

  it('gives new revisions', async () => {
    await using stores = await openStores(directory.path);
    await stores.days.record(day, ada, at);
    const before = await revisionsOf(stores);
    // The worst case: the failed write is there.
    probe.current.failOnce(failure, 'after');
    await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
    const after = await revisionsOf(stores);
    expect((await stores.days.load(day))?.entries).to.have.lengthOf(2);
    for (const revision of after) expect(before).not.to.include(revision);
    expect(await revisionsOf(stores)).to.deep.equal(after);
  });

  it('rejects reads and writes while LevelDB cannot be opened anew, and recovers when it can', async () => {
    await using stores = await openStores(directory.path);
    await stores.days.record(day, ada, at);
    probe.current.failOnce(failure);
    await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
    const current = join(directory.path, 'CURRENT');
    const content = await readFile(current);
    await rm(current);
    await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
    for (let attempt = 0; attempt < 2; attempt++) {
      for (const error of [
        await rejection(stores.days.load(day), 'STORE_READ_FAILED'),
        await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED'),
      ]) {
        expect(error.message).to.include(`${directory.path}: does not exist`);
      }
    }
    await writeFile(current, content);
    expect(await stores.days.record(day, bob, at)).to.equal('counted');
    expect((await stores.days.load(day))?.entries.map(({ id }) => id)).to.deep.equal([ada, bob]);
  });

  it('answers reads while the folder is empty, as after pulling a disk, and makes nothing in it', async () => {
    const path = join(directory.path, 'store');
    const elsewhere = join(directory.path, 'elsewhere');
    await using stores = await openStores(path);
    await stores.days.record(day, ada, at);
    await rename(path, elsewhere);
    await mkdir(path);
    probe.current.failOnce(failure);
    for (let attempt = 0; attempt < 2; attempt++) {
      await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
      expect((await stores.days.load(day))?.entries.map(({ id }) => id)).to.deep.equal([ada]);
      expect(await readdir(path)).to.deep.equal([]);
    }
    await rmdir(path);
    await rename(elsewhere, path);
    expect(await stores.days.record(day, bob, at)).to.equal('counted');
  });

  for (const [what, code] of [
    ['another store', 'STORE_UNAVAILABLE'],
    ['an older copy of the store', 'STORE_CORRUPT'],
  ] as const) {
    it(`keeps rejecting writes while the returned disk holds ${what}, and accepts them with the right disk`, async () => {
      const path = join(directory.path, 'store');
      const away = join(directory.path, 'away');
      const wrong = join(directory.path, 'wrong');
      await (await openStores(path))[Symbol.asyncDispose]();
      if (code === 'STORE_CORRUPT') await cp(path, wrong, { recursive: true });
      else await (await openStores(wrong))[Symbol.asyncDispose]();
      await using stores = await openStores(path);
      await stores.days.record(day, ada, at);
      await rename(path, away);
      await rename(wrong, path);
      probe.current.failOnce(failure);
      await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
      const refused = await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
      expect(refused.cause).to.have.property('code', code);
      await rename(path, wrong);
      await rename(away, path);
      expect(await stores.days.record(day, bob, at)).to.equal('counted');
      expect((await stores.days.load(day))?.entries.map(({ id }) => id)).to.deep.equal([ada, bob]);
    });
  }

  it('closes while LevelDB cannot be opened anew, and opens again', async () => {
    const stores = await openStores(directory.path);
    await stores.days.record(day, ada, at);
    probe.current.failOnce(failure);
    await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
    const current = join(directory.path, 'CURRENT');
    await rename(current, `${current}-kept`);
    await rejection(stores.days.record(day, bob, at), 'STORE_WRITE_FAILED');
    await stores[Symbol.asyncDispose]();
    await rename(`${current}-kept`, current);
    await using again = await openStores(directory.path);
    expect(await again.days.list(day, day)).to.deep.equal([day]);
  });

  it('keeps acknowledged data from before, during and after a full disk', async function () {
    const reason = mountSmallDisk(directory.path, 6 << 20);
    if (reason !== undefined) this.skip(reason);
    try {
      const acknowledged = new Map<string, string>();
      const path = join(directory.path, 'store');
      const ballast = join(directory.path, 'ballast');
      {
        await using stores = await openStores(path);
        let number = 0;
        const put = async (): Promise<void> => {
          const id = parseTallyId((number++).toString(16).padStart(8, '0'));
          const first = String(number).padStart(100, '.');
          await stores.names.put(id, { first, last: '' });
          acknowledged.set(id, first);
        };
        const fill = (): Promise<unknown> => writeFile(ballast, Buffer.alloc(6 << 20)).catch(() => undefined);
        for (let round = 0; round < 3; round++) {
          for (let n = 0; n < 50; n++) await put();
          await fill();
          const failures: unknown[] = [];
          // LevelDB may have room for a few in its present block.
          for (let n = 0; n < 200 && failures.length < 3; n++)
            await put().catch((error: unknown) => failures.push(error));
          expect(failures).to.have.lengthOf(3);
          for (const error of failures) expect(isTallybookError(error, 'STORE_WRITE_FAILED')).to.equal(true);
          expect([...(await stores.names.read()).keys()]).to.include.members([...acknowledged.keys()]);
          await rm(ballast);
          for (let n = 0; n < 50; n++) await put();
        }
      }
      await using again = await openStores(path);
      const mapping = await again.names.read();
      for (const [id, first] of acknowledged) expect(mapping.get(parseTallyId(id))?.first).to.equal(first);
      expect(acknowledged.size).to.be.at.least(300);
    } finally {
      unmount(directory.path);
    }
  });
});

async function revisionsOf({ days, names }: OpenStores): Promise<readonly string[]> {
  return Promise.all([
    days.dayRevision(day),
    days.dayRevision(DAY_MAX),
    days.listRevision(),
    names.revision(),
  ]);
}
