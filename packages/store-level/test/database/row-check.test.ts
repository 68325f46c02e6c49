import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Emitter, parseTallyId, type TallybookError } from '@tallybook/domain';
import { LevelStorage, type LevelStorageOptions } from '@tallybook/store-level';
import { Recorder } from '@tallybook/testing';
import { RowCheck } from '../../src/database/row-check.js';
import { formatKey, nameKey } from '../../src/rows/keys.js';
import { seal } from '../../src/rows/seal.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { makeOneTable } from '../fixtures/known-store.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { hexOf, writeRawRows } from '../fixtures/raw-rows.js';
import { useRests } from '../fixtures/rests.js';
import { came, log, manifest } from '../fixtures/leveldb/leveldb-manifest.js';
import { makeTable, noise, type Change } from '../fixtures/leveldb/sound-table.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('010203');

describe('The check of all rows in the background', () => {
  const directory = useTempDirectory();

  function record(): { readonly errors: Recorder<TallybookError>; readonly options: LevelStorageOptions } {
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

  /** Opening compares only checksums of LevelDB, and this row was written with a right one. */
  const damageRow = (): Promise<void> =>
    writeRawRows(directory.path, { [nameKey(ada).toString('hex')]: hexOf('{') });

  it('finds a damaged row that is not read, and gives advice', async () => {
    await makeOneTable(directory.path);
    await damageRow();
    const { errors, options } = record();
    await using stores = await openStores(directory.path, options);
    const [error] = await errors.count(1);
    expect(error).to.have.property('code', 'STORE_CORRUPT');
    expect(error?.message)
      .to.match(/\d+\.ldb: a row is not/)
      .and.to.include('tallybook repair');
    expect(await stores.names.put(bob, { first: 'Bob', last: '' })).to.equal('added');
  });

  for (const hasOwn of [false, true]) {
    it(`reports to ${hasOwn ? 'the receiver of the storage' : 'whom the storage is told to, if it has no receiver'}`, async () => {
      await makeOneTable(directory.path);
      await damageRow();
      const found = new Emitter<unknown>();
      const told = new Recorder(found);
      const { errors, options } = record();
      await using storage = new LevelStorage(directory.path, hasOwn ? options : { checkAfterMs: 0 });
      storage.reportTo((error) => found.emit(error));
      await storage.open();
      expect((await (hasOwn ? errors : told).count(1))[0]).to.have.property('code', 'STORE_CORRUPT');
      expect((hasOwn ? told : errors).values).to.be.empty;
      await storage.close();
    });
  }
});

describe('RowCheck', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const rests = useRests();
  const pathOf = (name: string): string => join(directory.path, name);

  const rowOf = (name: string, value: Buffer): Change => {
    const key = Buffer.from(name);
    return { key, value: seal(key, value) };
  };
  const sound = rowOf('b', Buffer.from('value'));
  const damaged: Change = { key: Buffer.from('c'), value: Buffer.from('not what was written') };

  const named = new Set<string>();
  beforeEach(async () => {
    named.clear();
    await name();
  });

  /** Names further tables in the manifest, as LevelDB does when they are whole. */
  async function name(...files: readonly string[]): Promise<void> {
    for (const file of files) named.add(file);
    const edits = [...named].map((file) => [came(Number.parseInt(file), 1)]);
    await writeFile(pathOf('MANIFEST-000002'), manifest([log(3)], ...edits));
    await writeFile(pathOf('CURRENT'), 'MANIFEST-000002\n');
  }

  async function lay(file: string, changes: readonly Change[]): Promise<void> {
    await writeFile(pathOf(file), await makeTable(changes));
    await name(file);
  }

  /** The reports of a complete check without a delay. */
  async function findings(path = directory.path): Promise<readonly TallybookError[]> {
    const found: TallybookError[] = [];
    await new RowCheck(path, 0, (error) => void found.push(error)).done;
    return found;
  }

  it('finds no damage in sound rows, a deleted one, and that of the format, which has no checksum', async () => {
    const deleted = { key: Buffer.from('d'), value: undefined };
    await lay('000005.ldb', [{ key: formatKey, value: Buffer.from('{}') }, sound, deleted]);
    expect(await findings()).to.be.empty;
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('finds a damaged row in a sound block, in each table', async () => {
    for (const file of ['000005.ldb', '000006.sst']) await lay(file, [sound, damaged]);
    await lay('000007.ldb', [sound]);
    const found = await findings();
    expect(found.map(({ code }) => code)).to.deep.equal(['STORE_CORRUPT', 'STORE_CORRUPT']);
    expect(found.map(({ details }) => details)).to.deep.equal(
      ['000005.ldb', '000006.sst'].map((file) => ({
        file,
        path: directory.path,
        reason: `${file}: a row is not what was written`,
      })),
    );
  });

  it('reports only the first damage of a table', async () => {
    const bytes = await makeTable([rowOf('a', noise(1, 5_000)), rowOf('b', noise(2, 5_000)), damaged]);
    bytes.fill(0, 0, 100);
    await writeFile(pathOf('000005.ldb'), bytes);
    await name('000005.ldb');
    const found = await findings();
    expect(found.map(({ details }) => details['reason'])).to.deep.equal([
      '000005.ldb: its block at 0 is damaged',
    ]);
  });

  it('checks only tables', async () => {
    for (const file of ['000005.log', '000005.ldb.old', 'ldb']) await writeFile(pathOf(file), 'garbage');
    await name('000005');
    expect(await findings()).to.be.empty;
  });

  it('takes no table for data that the manifest does not name: LevelDB has not finished it', async () => {
    await lay('000005.ldb', [sound]);
    await writeFile(pathOf('000006.ldb'), '');
    await writeFile(pathOf('000007.ldb'), (await makeTable([sound, damaged])).subarray(0, 20));
    expect(await findings()).to.be.empty;
    await name('000006.ldb');
    expect((await findings()).map(({ code }) => code)).to.deep.equal(['STORE_CORRUPT']);
  });

  it('looks again if LevelDB has replaced its manifest meanwhile', async () => {
    await lay('000005.ldb', [sound, damaged]);
    calls.failReading(pathOf('MANIFEST-000002'), 'ENOENT', 1);
    expect((await findings()).map(({ code }) => code)).to.deep.equal(['STORE_CORRUPT']);
  });

  it('checks a table that was joined from others during their check', async () => {
    await lay('000005.ldb', [sound, damaged]);
    const found: TallybookError[] = [];
    const report = async (error: TallybookError): Promise<void> => {
      found.push(error);
      await lay('000006.ldb', [sound, damaged]);
    };
    await new RowCheck(directory.path, 0, report).done;
    expect(found.map(({ details }) => details['file'])).to.deep.equal(['000005.ldb', '000006.ldb']);
  });

  it('skips a removed table', async () => {
    await symlink('nowhere', pathOf('000004.ldb'));
    await name('000004.ldb');
    await lay('000005.ldb', [sound, damaged]);
    expect((await findings()).map(({ code }) => code)).to.deep.equal(['STORE_CORRUPT']);
  });

  it('treats an unreadable table as damage', async () => {
    await lay('000005.ldb', [sound]);
    calls.failReading(pathOf('000005.ldb'), 'EIO');
    const found = await findings();
    expect(found.map(({ details }) => details['reason'])).to.deep.equal([
      '000005.ldb: the disk does not give it back',
    ]);
  });

  it('treats a block with an unreadable end as damage', async () => {
    await lay('000005.ldb', [rowOf('a', noise(1, 9_000)), sound]);
    calls.failReadingPart(pathOf('000005.ldb'), 4_096, 4_097);
    const found = await findings();
    expect(found.map(({ details }) => details['reason'])).to.deep.equal([
      '000005.ldb: the disk does not give it back',
    ]);
  });

  it('reports that it cannot read', async () => {
    await lay('000005.ldb', [sound]);
    calls.failReading(pathOf('000005.ldb'), 'EMFILE');
    const path = pathOf('missing');
    for (const [where, code] of [
      [directory.path, 'EMFILE'],
      [path, 'ENOENT'],
    ] as const) {
      const [error, ...others] = await findings(where);
      expect(others).to.be.empty;
      expect(error).to.have.property('code', 'STORE_READ_FAILED');
      expect(error?.details).to.deep.equal({ path: where });
      expect(error?.cause).to.have.property('code', code);
      expect(error?.message).to.include(where).and.to.include(code);
    }
  });

  it('lets other work run after every sixteen blocks', async () => {
    const blocks = 40;
    const changes = Array.from({ length: blocks }, (_, n) =>
      rowOf(String(n).padStart(2, '0'), noise(n, 4_200)),
    );
    await lay('000005.ldb', changes);
    expect(await findings()).to.be.empty;
    expect(rests).to.deep.equal([0, 5, 5]);
  });

  it('waits before it begins, without keeping the process alive, and reports nothing if it is stopped then', async () => {
    await lay('000005.ldb', [damaged]);
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    const found: TallybookError[] = [];
    const check = new RowCheck(directory.path, 60_000, (error) => void found.push(error));
    expect(timers()).to.equal(before);
    let isDone = false;
    void check.done.then(() => (isDone = true));
    await check.stop();
    expect(isDone).to.equal(true);
    expect(found).to.be.empty;
  });
});
