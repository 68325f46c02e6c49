import { mkdir, readdir, realpath, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  claimDirectory,
  holdsStore,
  isBeingReplaced,
  isNewStore,
  isStoreFile,
  isUnfinished,
  releaseDirectory,
  removeStoreFiles,
  requireSpace,
  requireStore,
  syncDirectory,
  LOG_NAME,
  numbered,
} from '../../src/directory/store-directory.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { mountSmallDisk, unmount } from '../fixtures/disk/small-disk.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const storeFiles = ['CURRENT', 'MANIFEST-000012', '000005.ldb', '12.sst', '1000000.log', '000007.dbtmp'];
const notes = ['LOCK', 'LOG', 'LOG.old', 'space-probe', 'MANIFEST-000001'];
const ours = ['ACKNOWLEDGED', 'ACKNOWLEDGED-2', 'DAMAGED'];
/** Names that are similar to those of store files, but are none. */
const strangers = [
  'MY-CURRENT',
  'CURRENT.bak',
  'MANIFEST-x',
  'MANIFEST-000012.old',
  '000005.ldb~',
  'a5.sst',
  '5.txt',
  'LOG.old.gz',
];
const neighbours = [
  ...['damaged-12', 'repair-new', 'control.sock', 'setup-code', 'lost', 'lost+found'],
  ...[
    'rolled-back-20261129T061500.jsonl',
    'settings.json',
    '.settings.json.unfinished',
    '.restore.unfinished',
  ],
];
const notNeighbours = [
  'damaged-',
  'damaged-x',
  'undamaged-1',
  'damaged-1.tar',
  'repair-newer',
  'my-lost',
  'lost+founds',
];

describe('The directory of a store', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const pathOf = (...names: readonly string[]): string => join(directory.path, ...names);

  async function lay(...names: readonly string[]): Promise<void> {
    for (const name of names) await writeFile(pathOf(name), '');
  }

  /** The error of a promise. */
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  describe('when it is claimed', () => {
    it('is made with all folders above it, for their owner only', async () => {
      const claimed = await claimDirectory(pathOf('a', 'b', 'c'));
      expect(claimed).to.equal(await realpath(pathOf('a', 'b', 'c')));
      for (const path of [pathOf('a'), pathOf('a', 'b'), claimed]) {
        expect((await stat(path)).mode & 0o777).to.equal(0o700);
      }
      releaseDirectory(claimed);
    });

    it('cannot be claimed again by any path until it is released', async () => {
      await mkdir(pathOf('store'));
      await symlink(pathOf('store'), pathOf('link'));
      const claimed = await claimDirectory(pathOf('store'));
      for (const path of [pathOf('store'), pathOf('link')]) {
        const error = await rejection(claimDirectory(path), 'STORE_LOCKED');
        expect(error.details).to.deep.equal({ path });
      }
      releaseDirectory(claimed);
      expect(await claimDirectory(pathOf('link'))).to.equal(claimed);
      releaseDirectory(claimed);
    });

    it('is refused if it is a file', async () => {
      await lay('file');
      const error = await rejection(claimDirectory(pathOf('file')), 'STORE_UNAVAILABLE');
      expect(error.details).to.deep.equal({ path: pathOf('file') });
      expect(error.cause).to.have.property('code', 'EEXIST');
    });

    it('is refused with the error of the system if it cannot be made', async () => {
      await lay('file');
      expect(await failureOf(claimDirectory(pathOf('file', 'store')))).to.have.property('code', 'ENOTDIR');
      expect(await failureOf(claimDirectory('/proc/tallybook/store'))).to.have.property('code', 'ENOENT');
    });
  });

  it('recognises files of a store by their names', () => {
    for (const name of [...storeFiles, ...notes, ...ours]) expect(isStoreFile(name), name).to.equal(true);
    for (const name of [...strangers, ...neighbours]) expect(isStoreFile(name), name).to.equal(false);
  });

  it('counts as being replaced while one of the two folders is there', () => {
    expect(isBeingReplaced(['CURRENT', 'repair-complete'])).to.equal(true);
    expect(isBeingReplaced(['repair-moving'])).to.equal(true);
    expect(isBeingReplaced(['CURRENT', 'repair-new', 'damaged-1'])).to.equal(false);
  });

  describe('holds no store yet', () => {
    const isNew = (): Promise<boolean> => isNewStore(directory.path);

    it('if it is empty, or has remains of making a store, or files that may be beside one', async () => {
      expect(await isNew()).to.equal(true);
      await lay(...notes, ...neighbours, '000001.dbtmp', 'x.dbtmp');
      expect(await isNew()).to.equal(true);
      expect(await holdsStore(directory.path)).to.equal(false);
      const { details } = await rejection(requireStore(directory.path), 'STORE_UNAVAILABLE');
      expect(details).to.deep.equal({ path: directory.path });
    });

    for (const name of [
      ...storeFiles.filter((each) => !each.endsWith('.dbtmp')),
      ...ours,
      'repair-complete',
      'repair-moving',
    ]) {
      it(`but does if there is ${name}`, async () => {
        await lay(name);
        expect(await isNew()).to.equal(false);
        expect(await holdsStore(directory.path)).to.equal(true);
        await requireStore(directory.path);
      });
    }

    for (const name of [...strangers, ...notNeighbours]) {
      it(`and is refused because of other files, if there is ${name}`, async () => {
        await lay('LOCK', 'lost', name);
        const { message, details } = await rejection(isNew(), 'STORE_UNAVAILABLE');
        expect(message).to.include(`"${name}"`);
        expect(details).to.deep.equal({ path: directory.path });
        await rejection(holdsStore(directory.path), 'STORE_UNAVAILABLE');
      });
    }

    it('if it is missing, and the check does not make it', async () => {
      expect(await holdsStore(pathOf('missing'))).to.equal(false);
      expect(await readdir(directory.path)).to.be.empty;
    });

    it('and the check rejects if it is a file', async () => {
      await lay('file');
      const error = await rejection(holdsStore(pathOf('file')), 'STORE_UNAVAILABLE');
      expect(error.details).to.deep.equal({ path: pathOf('file') });
    });
  });

  describe('holds an unfinished store', () => {
    beforeEach(async () => {
      await writeFile(pathOf('CURRENT'), 'MANIFEST-000001\n');
      await lay('MANIFEST-000001', '000003.log', '000004.log', 'x.ldb.txt');
    });
    const isIt = (): Promise<boolean> => isUnfinished(directory.path);

    it('if it has only empty logs and the first manifest', async () => {
      expect(await isIt()).to.equal(true);
    });

    for (const [what, change] of Object.entries<() => Promise<void>>({
      'a log holds something': () => writeFile(pathOf('000004.log'), '.'),
      'there is a table': () => lay('000005.ldb'),
      'there is an old table': () => lay('000005.sst'),
      'there are acknowledged commits': () => lay('ACKNOWLEDGED'),
      'there is the second file of acknowledged commits': () => lay('ACKNOWLEDGED-2'),
      'CURRENT is missing': () => rm(pathOf('CURRENT')),
      'CURRENT names a later manifest': () => writeFile(pathOf('CURRENT'), 'MANIFEST-000002\n'),
      'CURRENT is cut': () => writeFile(pathOf('CURRENT'), 'MANIFEST-000001'),
    })) {
      it(`but not if ${what}`, async () => {
        await change();
        expect(await isIt()).to.equal(false);
      });
    }
  });

  describe('when the files of its store are removed', () => {
    it('keeps other files, and the notes', async () => {
      await lay(...storeFiles, ...notes, ...ours, ...strangers);
      await removeStoreFiles(directory.path);
      const kept = [...notes.filter((name) => !name.startsWith('MANIFEST')), ...ours, ...strangers];
      expect(await readdir(directory.path)).to.have.members(kept);
    });

    it('loses CURRENT last', async () => {
      await lay('CURRENT', '000009.log');
      // A file that cannot be removed simulates a power cut at that moment.
      await mkdir(pathOf('MANIFEST-000001'));
      expect(await failureOf(removeStoreFiles(directory.path))).to.be.instanceOf(Error);
      expect(await readdir(directory.path)).to.include('CURRENT');
      await rm(pathOf('MANIFEST-000001'), { recursive: true });
      await removeStoreFiles(directory.path);
      await removeStoreFiles(directory.path);
      expect(await readdir(directory.path)).to.be.empty;
    });
  });

  it('is made durable, and is closed again', async () => {
    await syncDirectory(directory.path);
    expect(calls.synced).to.deep.equal([directory.path]);
    expect(openFiles(join(directory.path, '..'))).not.to.include(directory.path.split('/').at(-1));
  });

  it('is checked for space with a synced file, and is unchanged afterwards', async () => {
    await lay('000003.log', 'other.txt');
    await requireSpace(directory.path);
    expect(calls.synced).to.deep.equal([pathOf('space-probe')]);
    expect(await readdir(directory.path)).to.have.members(['000003.log', 'other.txt']);
  });

  describe('on a disk of its own', () => {
    const DISK_BYTES = 1 << 20;
    let isMounted = false;

    beforeEach(function () {
      const reason = mountSmallDisk(directory.path, DISK_BYTES);
      isMounted = reason === undefined;
      if (reason !== undefined) this.skip(reason);
    });
    afterEach(() => {
      if (isMounted) unmount(directory.path);
    });

    /** Files with holes take no space. */
    async function laySparse(sizes: Readonly<Record<string, number>>): Promise<void> {
      for (const [name, size] of Object.entries(sizes)) {
        await lay(name);
        await truncate(pathOf(name), size);
      }
    }

    async function layFull(sizes: Readonly<Record<string, number>>): Promise<void> {
      for (const [name, size] of Object.entries(sizes)) await writeFile(pathOf(name), Buffer.alloc(size, 1));
    }

    it('is checked for the space that LevelDB needs when it opens', async () => {
      await laySparse({ '000004.ldb': DISK_BYTES, 'x.log.old': DISK_BYTES });
      await layFull({ '000003.log': 400_000 });
      await requireSpace(directory.path);
      for (const [log, ballast] of [
        [500_000, 0],
        [300_000, 400_000],
        [0, DISK_BYTES - 32_768],
      ] as const) {
        await layFull({ ballast: 0, '000003.log': log });
        await layFull({ ballast });
        expect(await failureOf(requireSpace(directory.path))).to.have.property('code', 'ENOSPC');
        expect(await readdir(directory.path)).not.to.include('space-probe');
      }
    });

    it('counts all of its logs', async () => {
      await layFull({ '000003.log': 300_000, '000005.log': 300_000 });
      expect(await failureOf(requireSpace(directory.path))).to.have.property('code', 'ENOSPC');
      await rm(pathOf('000005.log'));
      await requireSpace(directory.path);
    });

    it('does not count the room in a log', async () => {
      await layFull({ '000003.log': 100 });
      await truncate(pathOf('000003.log'), 4 * DISK_BYTES);
      await requireSpace(directory.path);
    });
  });
});

describe('Numbered names', () => {
  it('are in the order of their numbers, not of their texts', () => {
    const names = ['1000000.log', '000003.log', '999999.log'];
    expect([...numbered(names, LOG_NAME)]).to.deep.equal([
      [3, '000003.log'],
      [999_999, '999999.log'],
      [1_000_000, '1000000.log'],
    ]);
  });

  it('are those that match the pattern completely', () => {
    const others = ['x5.log', '6.log.old', '7.ldb', '.log', 'LOG', '8-log'];
    expect(numbered(others, LOG_NAME)).to.be.empty;
  });
});
