import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rename, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { LevelStorage, type StoreNotice } from '@tallybook/store-level';
import { inspectFiles } from '../../src/repair/inspect-files.js';
import {
  countMissing,
  readAcknowledgedCommits,
  AcknowledgedCommits,
  ACKNOWLEDGED_FILES,
} from '../../src/directory/acknowledged-commits.js';
import { killAfter } from '../fixtures/programs/child.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, day, at } from '../../../testing/test/fixtures/known-values.js';

describe('AcknowledgedCommits', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();
  const files = (): readonly string[] => ACKNOWLEDGED_FILES.map((name) => join(directory.path, name));

  /** Records a number of scans, each in its own commit. */
  async function record(count: number, path = directory.path): Promise<void> {
    await using stores = await openStores(path);
    const start = readAcknowledgedCommits(path)[0]?.commits ?? 0;
    for (let n = 0; n < count; n++) await stores.days.record(day, ada, at(start + n));
  }

  async function scansOf(path = directory.path): Promise<number> {
    await using stores = await openStores(path);
    return (await stores.days.load(day))?.entries[0]?.count ?? 0;
  }

  /** Cuts off all writes of the last session. */
  const loseLog = async (): Promise<void> => {
    const { logs } = await inspectFiles(directory.path);
    for (const log of logs) await truncate(join(directory.path, log));
  };

  it('makes a store report the number of lost commits at each opening, until it is repaired', async () => {
    await record(3);
    await record(5);
    await loseLog();
    for (let attempt = 0; attempt < 2; attempt++) {
      const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
      expect(error.message)
        .to.include('the latest 5 acknowledged commits are missing')
        .and.to.include('tallybook repair');
    }
    const report = await LevelStorage.repair(directory.path);
    expect(report.missingCommits).to.equal(5);
    expect(report.damages).to.deep.equal(['the latest 5 commits are missing or damaged']);
    expect(await scansOf()).to.equal(3);
    await record(1);
    expect((await LevelStorage.repair(directory.path)).damages).to.be.empty;
  });

  it('distinguishes a store that has lost all rows from a new one', async () => {
    await record(3);
    await loseLog();
    const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(error.message).to.include('all of its rows are missing');
  });

  for (const name of ACKNOWLEDGED_FILES) {
    it(`detects a lost commit by the other file when ${name} is torn`, async () => {
      await record(3);
      await record(5);
      await loseLog();
      await truncate(join(directory.path, name), 9);
      const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
      expect(error.message).to.include('the latest 5 acknowledged commits are missing');
    });
  }

  it('uses the higher number of the two files', async () => {
    await record(3);
    const older = await readFile(files()[0] ?? '');
    await record(5);
    for (const file of files()) {
      const newest = await readFile(file);
      await writeFile(file, older);
      expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.equal(8);
      await writeFile(file, newest);
    }
  });

  it('does not refuse a store if both files are missing, older, torn or invalid', async () => {
    await record(3);
    const older = await readFile(files()[0] ?? '');
    await record(5);
    const newest = await readFile(files()[0] ?? '');
    for (const content of [
      undefined,
      older,
      newest.subarray(0, 9),
      Buffer.alloc(newest.length),
      Buffer.alloc(0),
    ]) {
      for (const file of files()) {
        if (content === undefined) await rm(file);
        else await writeFile(file, content);
      }
      expect(await scansOf()).to.equal(8);
      // The opening has written them again.
      for (const file of files()) expect(await readFile(file)).to.deep.equal(newest);
    }
  });

  it('is ignored when one of its bits is wrong', () => {
    const acknowledged = { identity: Buffer.from('identity'), commits: 70_000_000_000 };
    new AcknowledgedCommits(directory.path, acknowledged).close();
    expect(readAcknowledgedCommits(directory.path)).to.deep.equal([acknowledged, acknowledged]);
    const bytes = readFileSync(files()[0] ?? '');
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      for (const file of files()) writeFileSync(file, flipped(bytes, bit));
      expect(readAcknowledgedCommits(directory.path), `bit ${bit}`).to.be.empty;
    }
  });

  for (const [index, name] of ACKNOWLEDGED_FILES.entries()) {
    it(`uses the other file when ${name} cannot be opened`, async () => {
      await mkdir(join(directory.path, name));
      const acknowledged = { identity: Buffer.from('identity'), commits: 1 };
      const commits = new AcknowledgedCommits(directory.path, acknowledged);
      expect(openFiles(directory.path)).to.deep.equal([ACKNOWLEDGED_FILES[1 - index]]);
      commits.prepare(2);
      commits.write();
      commits.close();
      expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.equal(2);
      expect(openFiles(directory.path)).to.be.empty;
    });
  }

  it('throws as the file system does when none can be opened', async () => {
    for (const name of ACKNOWLEDGED_FILES) await mkdir(join(directory.path, name));
    const make = (): AcknowledgedCommits =>
      new AcknowledgedCommits(directory.path, { identity: Buffer.from('identity'), commits: 1 });
    expect(make).to.throw('EISDIR');
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('counts no commit as missing if the acknowledged ones are older', () => {
    const [stored, older] = [8, 3].map((commits) => ({ identity: Buffer.from('identity'), commits }));
    if (stored === undefined || older === undefined) throw new Error('there are two');
    expect(countMissing(stored, [older])).to.equal(0);
    expect(countMissing(older, [stored])).to.equal(5);
  });

  for (const name of ACKNOWLEDGED_FILES) {
    describe(`when ${name} is of another store, which has more commits`, () => {
      /** Copies the file of the other store. */
      const layForeign = (): void => {
        const other = { identity: Buffer.from('another!'), commits: 900 };
        const [path = ''] = files().filter((each) => each.endsWith(`/${name}`));
        const right = readFileSync(files().find((each) => each !== path) ?? '');
        new AcknowledgedCommits(directory.path, other).close();
        for (const each of files()) if (each !== path) writeFileSync(each, right);
      };

      it('detects a lost commit by the other file', async () => {
        await record(3);
        await record(5);
        await loseLog();
        layForeign();
        const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
        expect(error.message).to.include('the latest 5 acknowledged commits are missing');
        expect((await LevelStorage.repair(directory.path)).missingCommits).to.equal(5);
      });

      it('treats the torn end of a log as an interrupted write', async () => {
        await record(3);
        const [log = ''] = (await inspectFiles(directory.path)).logs;
        // The header of a record of 80 bytes.
        await appendFile(join(directory.path, log), Buffer.from([1, 2, 3, 4, 80, 0, 1]));
        layForeign();
        expect((await inspectFiles(directory.path)).damages).to.be.empty;
        expect(await scansOf()).to.equal(3);
      });
    });
  }

  describe('when the store is opened', () => {
    async function noticesOf(): Promise<readonly StoreNotice[]> {
      const notices: StoreNotice[] = [];
      const stores = await openStores(directory.path, { notify: (notice) => notices.push(notice) });
      await stores[Symbol.asyncDispose]();
      return notices;
    }

    for (const [what, spoil] of Object.entries<(path: string) => Promise<void>>({
      missing: (path) => rm(path),
      torn: (path) => truncate(path, 9),
      'of another store': async (path) => {
        const bytes = Buffer.alloc(20);
        bytes.writeUInt32BE(crc32(bytes.subarray(0, 16)), 16);
        await writeFile(path, bytes);
      },
    })) {
      it(`reports once that the latest writes may be missing if both files are ${what}, and not for one file`, async () => {
        await record(3);
        const [one = '', other = ''] = files();
        await spoil(one);
        expect(await noticesOf()).to.be.empty;
        await spoil(one);
        await spoil(other);
        expect(await noticesOf()).to.deep.equal([{ kind: 'unknown-end', path: directory.path }]);
        expect(await noticesOf()).to.be.empty;
      });
    }

    it('does not report that for a new or repaired store', async () => {
      await record(0);
      for (const file of files()) await rm(file);
      expect(await noticesOf()).to.be.empty;
      await record(3);
      await record(5);
      await loseLog();
      await LevelStorage.repair(directory.path);
      for (const file of files()) expect(existsSync(file)).to.equal(false);
      expect(await noticesOf()).to.be.empty;
    });

    for (const name of ACKNOWLEDGED_FILES) {
      it(`reports that ${name} cannot be written, until it can`, async () => {
        await record(3);
        await rm(join(directory.path, name));
        await mkdir(join(directory.path, name));
        const notice = { kind: 'unguarded', path: directory.path, file: name };
        for (let time = 1; time <= 2; time++) expect(await noticesOf()).to.deep.equal([notice]);
        await rmdir(join(directory.path, name));
        expect(await noticesOf()).to.be.empty;
      });
    }
  });

  it('allows copying, moving and restoring a store', async () => {
    await record(2);
    const copy = `${directory.path}-copy`;
    try {
      await cp(directory.path, copy, { recursive: true });
      await record(3);
      await rm(directory.path, { recursive: true });
      await rename(copy, directory.path);
      expect(await scansOf()).to.equal(2);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });

  it('is never ahead of the store: it is written after the sync, and not after a failed write', async () => {
    await using stores = await openStores(directory.path);
    const seen: (number | undefined)[] = [];
    probe.current.onBatch = async (run) => {
      await run();
      seen.push(readAcknowledgedCommits(directory.path)[0]?.commits);
    };
    await stores.days.record(day, ada, at(0));
    await stores.days.record(day, ada, at(1));
    expect(seen).to.deep.equal([0, 1]);
    expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.equal(2);
    probe.current.failOnce(new Error('the disk is full'));
    await rejection(stores.days.record(day, ada, at(2)), 'STORE_WRITE_FAILED');
    expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.equal(2);
    // The failed write is there: the next number is one more.
    probe.current.failOnce(new Error('the disk is full'), 'after');
    await rejection(stores.days.record(day, ada, at(3)), 'STORE_WRITE_FAILED');
    await stores.days.record(day, ada, at(4));
    expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.equal(4);
  });

  it('continues to count after a kill -9, and is right about the killed process', async () => {
    const acknowledged = await killAfter(200, 'writer.ts', directory.path);
    const [noted] = readAcknowledgedCommits(directory.path);
    expect(noted?.commits).to.be.within(1, acknowledged.length + 36);
    await record(1);
    expect(readAcknowledgedCommits(directory.path)[0]?.commits).to.be.above(noted?.commits ?? Infinity);
  });

  it('detects commits that are lost while the store is open, when LevelDB is opened anew', async () => {
    await using stores = await openStores(directory.path);
    await stores.days.record(day, ada, at(0));
    probe.current.failOnce(new Error('the disk is full'));
    await rejection(stores.days.record(day, ada, at(1)), 'STORE_WRITE_FAILED');
    await loseLog();
    for (let attempt = 0; attempt < 2; attempt++) {
      await rejection(stores.days.record(day, ada, at(2)), 'STORE_WRITE_FAILED');
      await rejection(stores.days.load(day), 'STORE_CORRUPT');
    }
  });
});

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
}
