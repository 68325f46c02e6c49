import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import type { StoreNotice } from '@tallybook/store-level';
import { startChild } from '../fixtures/programs/child.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { mountSmallDisk, unmount } from '../fixtures/disk/small-disk.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, bob, day } from '../../../testing/test/fixtures/known-values.js';

const DISK_BYTES = 6 << 20;
const at = toTimestamp(1_763_500_000);
const idOf = (n: number): TallyId => parseTallyId(n.toString(16).padStart(8, '0'));

/** The folder in which process `pid` reads a copy of a store; `undefined` if it reads none. */
function placeOfCopy(pid: number | 'self' = 'self'): string | undefined {
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const path = readlinkSync(`/proc/${pid}/fd/${fd}`);
      if (path.includes('/tallybook-reading-')) return dirname(path);
    } catch {
      // The descriptor with which the list was read.
    }
  }
  return undefined;
}

describe('Opening a store on a full disk', () => {
  let disk: string | undefined;
  // Before the folder is removed.
  afterEach(() => {
    if (disk !== undefined) unmount(disk);
    disk = undefined;
  });
  const directory = useTempDirectory();
  const path = (): string => join(directory.path, 'store');
  const ballast = (): string => join(directory.path, 'ballast');

  beforeEach(async function () {
    const reason = mountSmallDisk(directory.path, DISK_BYTES);
    if (reason !== undefined) this.skip(reason);
    disk = directory.path;
    // The first writes end up in a table, later ones in the log.
    for (const id of [ada, bob]) {
      await using stores = await openStores(path());
      await stores.names.put(id, { first: 'Ada', last: id });
      await stores.days.record(day, id, at);
    }
    await fillUp();
  });

  async function fillUp(): Promise<void> {
    const file = await open(ballast(), 'a');
    try {
      for (let bytes = 1 << 20; bytes >= 1; bytes = bytes === 1 ? 0 : Math.max(1, bytes >> 10)) {
        for (let isFull = false; !isFull;) {
          isFull = await file.appendFile(Buffer.alloc(bytes)).then(
            () => false,
            () => true,
          );
        }
      }
    } finally {
      await file.close();
    }
  }

  it('reads the present data, refuses writes, and writes when there is room, without a new opening', async () => {
    const notices: StoreNotice[] = [];
    {
      await using stores = await openStores(path(), { notify: (notice) => notices.push(notice) });
      expect(notices.map(({ kind }) => kind)).to.deep.equal(['unwritable']);
      expect(notices[0]).to.have.nested.property('error.code', 'STORE_UNAVAILABLE');
      for (let time = 0; time < 2; time++) {
        expect([...(await stores.names.read()).keys()]).to.have.members([ada, bob]);
        expect((await stores.days.load(day))?.entries.map(({ id }) => id)).to.have.members([ada, bob]);
        const refused = await rejection(
          stores.names.put(ada, { first: 'new', last: '' }),
          'STORE_WRITE_FAILED',
        );
        expect(refused.message).to.match(/free some space on its disk$/);
      }
      await rm(ballast());
      await stores.names.put(ada, { first: 'new', last: '' });
      expect(await stores.days.record(toDay(day + 1), ada, at)).to.equal('counted');
      expect(notices.map(({ kind }) => kind)).to.deep.equal(['unwritable', 'writable']);
      expect(placeOfCopy()).to.equal(undefined);
    }
    await using again = await openStores(path());
    expect(await again.names.get(ada)).to.deep.equal({ first: 'new', last: '' });
    expect(await again.days.list(day, toDay(day + 1))).to.deep.equal([day, day + 1]);
  });

  it('keeps acknowledged data, even if the disk is full repeatedly', async () => {
    for (let round = 0; round < 4; round++) {
      await fillUp();
      await using stores = await openStores(path());
      await rejection(stores.names.put(idOf(round), { first: 'lost', last: '' }), 'STORE_WRITE_FAILED');
      await rm(ballast());
      await stores.names.put(idOf(round), { first: 'kept', last: '' });
    }
    await fillUp();
    await using stores = await openStores(path());
    for (let round = 0; round < 4; round++)
      expect(await stores.names.get(idOf(round))).to.deep.equal({ first: 'kept', last: '' });
  });

  it('reads in a folder that nobody else may read, and removes it', async () => {
    const stores = await openStores(path());
    await stores.names.read();
    const place = placeOfCopy() ?? expect.fail('it is read in its own place');
    expect(statSync(place).mode & 0o777).to.equal(0o700);
    await stores[Symbol.asyncDispose]();
    expect(existsSync(place)).to.equal(false);
  });

  it('removes the copy of a killed process at the next opening', async () => {
    const { process, lines } = startChild('holder.ts', path());
    expect(await once(lines, 'line')).to.deep.equal(['open']);
    const place = placeOfCopy(process.pid) ?? expect.fail('it is read in its own place');
    process.kill('SIGKILL');
    await once(process, 'exit');
    expect(existsSync(place)).to.equal(true);
    await rm(ballast());
    await (await openStores(path()))[Symbol.asyncDispose]();
    expect(existsSync(place)).to.equal(false);
  });

  it('keeps other processes out', async () => {
    await using stores = await openStores(path());
    const { process, lines } = startChild('holder.ts', path());
    expect(await once(lines, 'line')).to.deep.equal(['STORE_LOCKED']);
    await once(process, 'exit');
    await rejection(openStores(path()), 'STORE_LOCKED');
    expect(await stores.names.get(ada)).to.deep.equal({ first: 'Ada', last: ada });
  });

  it('rejects without a store', async () => {
    await rm(path(), { recursive: true });
    await mkdir(path());
    await fillUp();
    const error = await rejection(openStores(path()), 'STORE_UNAVAILABLE');
    expect(error.message).to.match(/No space left/);
    expect(placeOfCopy()).to.equal(undefined);
  });
});
