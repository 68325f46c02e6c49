import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { ACKNOWLEDGED_FILES } from '../../src/directory/acknowledged-commits.js';
import { startChild } from '../fixtures/programs/child.js';
import { deleteRawRows, hexOf, readRawRows, writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { makeReadOnly, mountSmallDisk, unmount } from '../fixtures/disk/small-disk.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';
import { ada, day } from '../../../testing/test/fixtures/known-values.js';

const at = toTimestamp(1_763_500_000);
const formatRow = hexOf('{"format":"tallybook","version":1}');

describe('Opening a directory', () => {
  const directory = useTempDirectory();

  it('does nothing before a store opens', async () => {
    const path = join(directory.path, 'new');
    const database = new LevelStorage(path);
    expect(facetOf(database, 'days').status).to.equal('closed');
    expect(await readdir(directory.path)).to.be.empty;
  });

  it('reports when another thread opens the files, but not if they are damaged', async () => {
    const statuses: string[] = [];
    const days = facetOf(
      new LevelStorage(directory.path, { onOpening: () => statuses.push(days.status) }),
      'days',
    );
    await days.open();
    await days.record(day, ada, at);
    await days.close();
    expect(statuses).to.deep.equal(['opening']);
    await rm(join(directory.path, 'CURRENT'));
    await rejection(days.open(), 'STORE_CORRUPT');
    expect(statuses).to.deep.equal(['opening']);
  });

  it('marks it with the format', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    const [format, ...others] = await readRawRows(directory.path);
    expect(format).to.deep.equal(['00', formatRow]);
    expect(others.map(([key]) => key)).to.deep.equal(['0001', '000101']);
  });

  it('reports a new, empty store, and only that', async () => {
    const path = join(directory.path, 'store');
    const notices: unknown[] = [];
    const notify = (notice: unknown): unknown => notices.push(notice);
    for (let opening = 0; opening < 2; opening++) {
      await using stores = await openStores(path, { notify });
      await stores.days.record(day, ada, at);
      expect(notices).to.deep.equal([{ kind: 'created', path }]);
    }
  });

  it('can be tried again in the same process after a failure with an open LevelDB', async () => {
    const notify = (): never => {
      throw new Error('nobody listens');
    };
    const error = await rejection(openStores(directory.path, { notify }), 'STORE_UNAVAILABLE');
    expect(error.message).to.include('nobody listens');
    await using stores = await openStores(directory.path);
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
  });

  it('rejects with STORE_UNAVAILABLE for a directory with other files, and makes nothing', async () => {
    await mkdir(join(directory.path, 'lost+found'));
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    const path = join(directory.path, 'documents');
    await mkdir(path);
    await writeFile(join(path, 'letter.txt'), 'Dear Ada');
    const error = await rejection(openStores(path), 'STORE_UNAVAILABLE');
    expect(error.message).to.include('"letter.txt"').and.to.include(path);
    expect(await readdir(path)).to.deep.equal(['letter.txt']);
  });

  it('rejects with STORE_CORRUPT if only the files of acknowledged commits are left', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    for (const name of await readdir(directory.path)) {
      if (!name.startsWith('ACKNOWLEDGED')) await rm(join(directory.path, name));
    }
    const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(error.message).to.include('CURRENT: it is missing');
    expect(await readdir(directory.path)).to.deep.equal(['ACKNOWLEDGED', 'ACKNOWLEDGED-2', 'LOCK']);
  });

  for (const [what, rows] of Object.entries({
    'is missing': (path: string) => deleteRawRows(path, ['00']),
    'is garbage': (path: string) => writeRawRows(path, { '00': 'ff' }),
    'is garbage, and the acknowledged commits are missing': async (path: string) => {
      await writeRawRows(path, { '00': 'ff' });
      for (const name of ACKNOWLEDGED_FILES) await rm(join(path, name));
    },
  })) {
    it(`rejects with STORE_CORRUPT, and not as for another program, when the row of the format ${what}`, async () => {
      await (await openStores(directory.path))[Symbol.asyncDispose]();
      await rows(directory.path);
      const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
      expect(error.message).to.include('the row of its format');
    });
  }

  it('still keeps other processes out after this process tried to open it twice', async () => {
    await using stores = await openStores(directory.path);
    await rejection(openStores(directory.path), 'STORE_LOCKED');
    const { process, lines } = startChild('holder.ts', directory.path);
    const output: string[] = [];
    lines.on('line', (line) => output.push(line));
    await once(process, 'close');
    expect(output).to.deep.equal(['STORE_LOCKED']);
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
  });

  it('rejects with STORE_LOCKED while another process has it, and opens when that process has ended', async () => {
    const { process, lines } = startChild('holder.ts', directory.path);
    expect(await once(lines, 'line')).to.deep.equal(['open']);
    const error = await rejection(openStores(directory.path), 'STORE_LOCKED');
    expect(error.message).to.include(directory.path).and.to.include('another process');
    process.stdin.end();
    await once(process, 'close');
    await using stores = await openStores(directory.path);
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
  });

  it('rejects with STORE_FORMAT_UNSUPPORTED for another version, and changes nothing', async () => {
    const rows = { '00': hexOf('{"format":"tallybook","version":2}'), '01ff': '00' };
    await writeRawRows(directory.path, rows);
    const error = await rejection(openStores(directory.path), 'STORE_FORMAT_UNSUPPORTED');
    expect(error.message).to.include('version 2;').and.to.include('version 1').and.to.include(directory.path);
    expect(Object.fromEntries(await readRawRows(directory.path))).to.deep.equal(rows);
  });

  for (const [what, rows] of Object.entries({
    'has no format row': { [hexOf('user:1')]: hexOf('{}') },
    'has another format': { '00': hexOf('{"format":"ledger","version":1}') },
    'has something else where the format is': { '00': 'ff00' },
    'has null where the format is': { '00': hexOf('null') },
  })) {
    it(`rejects with STORE_FORMAT_UNSUPPORTED for a LevelDB that ${what}, and changes nothing`, async () => {
      await writeRawRows(directory.path, rows);
      const error = await rejection(openStores(directory.path), 'STORE_FORMAT_UNSUPPORTED');
      expect(error.message).to.include('another program');
      expect(Object.fromEntries(await readRawRows(directory.path))).to.deep.equal(rows);
    });
  }

  it('rejects with STORE_CORRUPT when the file CURRENT is missing, and leaves the data there', async () => {
    const stores = await openStores(directory.path);
    await stores.days.record(day, ada, at);
    await stores[Symbol.asyncDispose]();
    await rename(join(directory.path, 'CURRENT'), join(directory.path, 'kept'));
    const before = await readdir(directory.path);
    await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(await readdir(directory.path)).to.deep.equal(before);
    await rename(join(directory.path, 'kept'), join(directory.path, 'CURRENT'));
    await using again = await openStores(directory.path);
    expect(await again.days.list(day, day)).to.deep.equal([day]);
  });

  it('opens a directory whose making was interrupted by a power cut', async () => {
    await writeFile(join(directory.path, 'LOCK'), '');
    await writeFile(join(directory.path, 'MANIFEST-000001'), 'half');
    await using stores = await openStores(directory.path);
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
  });

  describe('after a power cut before the first manifest was durable', () => {
    /** The files that LevelDB leaves then: it syncs CURRENT, but not the manifest that CURRENT names. */
    async function leave(manifest: string, log: string): Promise<void> {
      await writeFile(join(directory.path, 'CURRENT'), 'MANIFEST-000001\n');
      await writeFile(join(directory.path, 'MANIFEST-000001'), manifest);
      await writeFile(join(directory.path, '000003.log'), log);
    }

    for (const [what, manifest] of [
      ['is empty', ''],
      ['is torn', 'torn'],
    ] as const) {
      it(`makes the store again if the manifest ${what}`, async () => {
        await leave(manifest, '');
        for (let opening = 0; opening < 2; opening++) {
          await using stores = await openStores(directory.path);
          expect(await stores.days.record(day, ada, at)).to.equal(
            opening === 0 ? 'counted' : 'already-counted',
          );
        }
      });
    }

    it('rejects with STORE_CORRUPT, and changes nothing, if a log has data', async () => {
      await leave('', 'acknowledged');
      await rejection(openStores(directory.path), 'STORE_CORRUPT');
      expect(await readFile(join(directory.path, '000003.log'), 'utf8')).to.equal('acknowledged');
      expect(await readFile(join(directory.path, 'CURRENT'), 'utf8')).to.equal('MANIFEST-000001\n');
    });

    it('rejects with STORE_CORRUPT if commits were acknowledged', async () => {
      await (await openStores(directory.path))[Symbol.asyncDispose]();
      for (const file of (await readdir(directory.path)).filter((name) => /MANIFEST|log$/.test(name))) {
        await rm(join(directory.path, file));
      }
      await leave('', '');
      await rejection(openStores(directory.path), 'STORE_CORRUPT');
    });
  });

  it('opens a store after a power cut before the format was written', async () => {
    await writeRawRows(directory.path, {});
    await using stores = await openStores(directory.path);
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
  });

  it('rejects with STORE_UNAVAILABLE when it is a file, or below one', async () => {
    const file = join(directory.path, 'file');
    await writeFile(file, 'not a directory');
    for (const path of [file, join(file, 'store')]) {
      const error = await rejection(openStores(path), 'STORE_UNAVAILABLE');
      expect(error.message)
        .to.include(path)
        .and.to.match(/is not a folder|ENOTDIR/);
    }
  });

  it('rejects with STORE_UNAVAILABLE when it can only be read', async function () {
    const reason = mountSmallDisk(directory.path, 6 << 20);
    if (reason !== undefined) this.skip(reason);
    try {
      const [path, empty] = [join(directory.path, 'store'), join(directory.path, 'empty')];
      await (await openStores(path))[Symbol.asyncDispose]();
      await mkdir(empty);
      makeReadOnly(directory.path);
      for (const each of [path, empty]) {
        const { message } = await rejection(openStores(each), 'STORE_UNAVAILABLE');
        expect(message).to.include(each).and.to.include('Read-only file system');
      }
      await rejection(openStores(join(directory.path, 'new')), 'STORE_UNAVAILABLE');
    } finally {
      unmount(directory.path);
    }
  });

  it('can be tried again after a failure, which releases the directory', async () => {
    const path = join(directory.path, 'store');
    await writeFile(path, '');
    const days = facetOf(new LevelStorage(path), 'days');
    await rejection(days.open(), 'STORE_UNAVAILABLE');
    expect(days.status).to.equal('closed');
    await rm(path);
    await days.open();
    expect(await days.record(day, ada, at)).to.equal('counted');
    await days.close();
    await using again = await openStores(path);
    expect(await again.days.list(day, day)).to.deep.equal([day]);
  });
});
