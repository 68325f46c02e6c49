import { open, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Emitter, parseTallyId, type TallybookError } from '@tallybook/domain';
import type { LevelDatabaseOptions } from '@tallybook/store-level';
import { Recorder } from '@tallybook/testing';
import { RowCheck } from '../src/row-check.js';
import { nameKey } from '../src/keys.js';
import { makeKnownStore } from './fixtures/known-store.js';
import { writeRawRows } from './fixtures/raw-rows.js';
import { openStores } from './fixtures/stores.js';
import { useTempDirectory } from './fixtures/temp-directory.js';

const ada = parseTallyId('04A2B3C4D5');

describe('The check of all rows in the background', () => {
  const directory = useTempDirectory();

  function record(): { readonly errors: Recorder<TallybookError>; readonly options: LevelDatabaseOptions } {
    const emitter = new Emitter<TallybookError>();
    return {
      errors: new Recorder(emitter),
      options: {
        checkAfterMs: 0,
        notify: (notice) => {
          if (notice.kind === 'damaged') emitter.emit(notice.error);
        },
      },
    };
  }

  /** In the middle of a table are rows that opening does not look at. */
  async function damageTable(): Promise<string> {
    const table = (await readdir(directory.path)).find((name) => name.endsWith('.ldb')) ?? '';
    const path = join(directory.path, table);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(64, 0x55), 0, 64, Math.floor((await file.stat()).size / 2));
    await file.close();
    return table;
  }

  it('finds a damaged block that nobody asks for, and says what to do', async () => {
    await makeKnownStore(directory.path, 9);
    const table = await damageTable();
    const { errors, options } = record();
    await using stores = await openStores(directory.path, options);
    const [error] = await errors.count(1);
    expect(error).to.have.property('code', 'STORE_CORRUPT');
    expect(error?.message).to.include(table).and.to.include('tallybook repair');
    expect(await stores.names.put(ada, { first: 'Ada', last: '' })).to.equal('added');
  });

  it('finds a row that is not what was written although its block is', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    await writeRawRows(directory.path, { [nameKey(ada).toString('hex')]: '00000000ff' });
    // Opening moves it from the log to a table.
    const { errors, options } = record();
    await using stores = await openStores(directory.path, options);
    const [error] = await errors.count(1);
    expect(error?.message).to.include('a row is not what was written');
    await stores.names.remove(ada);
  });

  it('finds nothing in a sound store', async () => {
    await makeKnownStore(directory.path, 3);
    const found: TallybookError[] = [];
    const check = new RowCheck(directory.path, 0, (error) => void found.push(error));
    await check.done;
    expect(found).to.be.empty;
  });

  it('stops when the store is closed', async () => {
    await makeKnownStore(directory.path, 9);
    await damageTable();
    const { errors, options } = record();
    const stores = await openStores(directory.path, { ...options, checkAfterMs: 60_000 });
    await stores[Symbol.asyncDispose]();
    expect(errors.values).to.be.empty;
  });

  it('goes by a table that is gone', async () => {
    await symlink('nowhere', join(directory.path, '000099.ldb'));
    const found: TallybookError[] = [];
    await new RowCheck(directory.path, 0, (error) => void found.push(error)).done;
    expect(found).to.be.empty;
  });

  it('says so when it cannot read', async () => {
    const found: TallybookError[] = [];
    await new RowCheck(join(directory.path, 'missing'), 0, (error) => void found.push(error)).done;
    expect(found).to.have.lengthOf(1);
    expect(found[0]?.message).to.include('ENOENT');
  });
});
