import { once } from 'node:events';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LevelStorage } from '@tallybook/store-level';
import { startChild } from '../fixtures/programs/child.js';
import { bytesOf, useKnownDirectory } from '../fixtures/known-directory.js';
import { onRename } from '../fixtures/disk/on-rename.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';

describe('The repair of a store', () => {
  const directory = useKnownDirectory();
  const { fill, content, loseCurrent } = directory;

  it('leaves the old or the new store after an interruption, and the opening finishes it', async () => {
    const all = await fill();
    await loseCurrent();
    const damaged = `${directory.path}-damaged`;
    await rename(directory.path, damaged);
    const oldFiles = await bytesOf(damaged);
    oldFiles.delete('LOCK');
    try {
      let isDone = false;
      for (let step = 1; !isDone; step++) {
        await rm(directory.path, { recursive: true, force: true });
        await cp(damaged, directory.path, { recursive: true });
        isDone = await withFailingRename(step, () => LevelStorage.repair(directory.path));
        if (step === 1) {
          // The new files are complete, but not yet marked as complete.
          await rejection(openStores(directory.path), 'STORE_CORRUPT');
          await LevelStorage.repair(directory.path);
        }
        expect(await LevelStorage.exists(directory.path)).to.equal(true);
        expect(await content(), `step ${step}`).to.deep.equal(all);
        expect(await bytesOf(join(directory.path, 'damaged-1')), `step ${step}`).to.deep.equal(oldFiles);
        const names = await readdir(directory.path);
        expect(names.filter((name) => /^(?:repair-|damaged-[^1])/.test(name))).to.be.empty;
        if (isDone) expect(step).to.be.above(oldFiles.size + 3);
      }
    } finally {
      await rm(damaged, { recursive: true });
    }
  });

  it('can be killed and repeated', async () => {
    const all = await fill();
    await loseCurrent();
    for (const step of ['1', '4']) {
      const { process } = startChild('repairer.ts', directory.path, step);
      await once(process, 'exit');
      expect(process.signalCode).to.equal('SIGKILL');
    }
    expect((await LevelStorage.repair(directory.path)).damages).to.be.empty;
    expect(await content()).to.deep.equal(all);
  });
});

/** Makes the nth rename fail, and gives whether there was none: then the work is complete. */
async function withFailingRename(nth: number, work: () => Promise<unknown>): Promise<boolean> {
  const interruption = new Error('interrupted');
  const restore = onRename(nth, () => {
    throw interruption;
  });
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Error) || error.cause !== interruption) throw error;
    return false;
  } finally {
    restore();
  }
}
