import { stat } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { fileOf } from '../fixtures/known-directory.js';
import { makeOneTable } from '../fixtures/known-store.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const NAMES = 1_000;
/** More names than fit into 4 KiB: each has a text of 60 characters. */
const MOST_IN_PIECE = 100;
const OFFSET = 20_000;

describe('A worn disk', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();

  const namesOf = async ({ names }: OpenStores): Promise<number> => (await names.read()).size;

  it('costs the rows of 4 KiB if a byte of a table is unreadable', async () => {
    await makeOneTable(directory.path);
    const table = await fileOf(directory.path, /\.ldb$/);
    // Among the names, which come after the changes of the journal.
    const at = Math.floor((await stat(table)).size * 0.7);
    calls.failReadingPart(table, at, at + 1);
    const { damages, saved, brokenBlocks } = await LevelStorage.repair(directory.path);
    expect(damages.join()).to.include('.ldb: the disk does not give it back');
    expect(brokenBlocks).to.be.within(1, 3);
    expect(saved.names).to.be.within(NAMES - MOST_IN_PIECE, NAMES - 1);
    await using stores = await openStores(directory.path);
    expect(await namesOf(stores)).to.equal(saved.names);
  });

  it('costs few rows if the index of a table is unreadable', async () => {
    await makeOneTable(directory.path);
    const table = await fileOf(directory.path, /\.ldb$/);
    const { size } = await stat(table);
    calls.failReadingPart(table, size - 1, size);
    const { saved } = await LevelStorage.repair(directory.path);
    expect(saved.names).to.be.within(NAMES - 2 * MOST_IN_PIECE, NAMES);
  });

  it('costs the rows of 4 KiB if a byte of a log is unreadable', async () => {
    {
      await using stores = await openStores(directory.path);
      for (let n = 0; n < NAMES; n++) {
        const name = { first: String(n).padEnd(60, 'x'), last: '' };
        await stores.names.put(parseTallyId((0x04a2b300 + n).toString(16).padStart(8, '0')), name);
      }
    }
    calls.failReadingPart(await fileOf(directory.path, /\.log$/), OFFSET, OFFSET + 1);
    const { damages, saved } = await LevelStorage.repair(directory.path);
    expect(damages.join()).to.include('.log: the disk does not give it back');
    expect(saved.names).to.be.within(NAMES - MOST_IN_PIECE, NAMES - 1);
  });
});
