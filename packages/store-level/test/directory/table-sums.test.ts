import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { inspectFiles } from '../../src/repair/inspect-files.js';
import { TableSums } from '../../src/directory/table-sums.js';
import { makeOneTable } from '../fixtures/known-store.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { rejection } from '../fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

describe('The sums of tables that were found sound', () => {
  const directory = useTempDirectory();
  const pathOf = (name: string): string => join(directory.path, name);
  const open = async (): Promise<void> => (await openStores(directory.path))[Symbol.asyncDispose]();

  /** A store with one table whose sum is known. */
  async function makeStore(): Promise<string> {
    await makeOneTable(directory.path);
    await open();
    return (await readdir(directory.path)).find((name) => name.endsWith('.ldb')) ?? '';
  }

  async function flip(name: string, at: number): Promise<void> {
    const bytes = await readFile(pathOf(name));
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
    await writeFile(pathOf(name), bytes);
  }

  it('are written at the start after a table was made, for the owner only', async () => {
    const table = await makeStore();
    const bytes = await readFile(pathOf(table));
    const sum = crc32(bytes).toString(16).padStart(8, '0');
    expect(await readFile(pathOf('VERIFIED'), 'utf8')).to.equal(`${table} ${bytes.length} ${sum}\n`);
    expect((await stat(pathOf('VERIFIED'))).mode & 0o777).to.equal(0o600);
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('are written only if they have changed', async () => {
    await makeStore();
    const before = await stat(pathOf('VERIFIED'));
    await open();
    expect((await stat(pathOf('VERIFIED'))).mtimeMs).to.equal(before.mtimeMs);
  });

  it('hide no damage: a changed table is compared again', async () => {
    const table = await makeStore();
    await flip(table, 5_000);
    const { message } = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(message).to.match(/\d+\.ldb: its block at \d+ is damaged/);
  });

  it('save the comparison of unchanged tables only', async () => {
    const table = await makeStore();
    const { length } = await readFile(pathOf(table));
    await flip(table, 5_000);
    const sum = crc32(await readFile(pathOf(table)));
    for (const [file, size, wrong, isSpared] of [
      [table, length, 0, true],
      ['999999.ldb', length, 0, false],
      [table, length + 1, 0, false],
      [table, length, 1, false],
    ] as const) {
      await rm(pathOf('VERIFIED'));
      const noted = await TableSums.read(directory.path);
      noted.add(file, size, (sum ^ wrong) >>> 0);
      await noted.write();
      const { damages } = await inspectFiles(directory.path, await TableSums.read(directory.path));
      expect(damages, `${file} ${size} ${wrong}`).to.have.lengthOf(isSpared ? 0 : 1);
    }
  });

  it('are those of all bytes of a table of any length', async () => {
    const table = await makeStore();
    // One table that is read in one go, and one that is not.
    for (const size of [2_500_000, 5_000_000]) {
      const bytes = Buffer.alloc(size, 'tally');
      await writeFile(pathOf(table), bytes);
      const asked: number[] = [];
      const sums = await TableSums.read(directory.path);
      sums.isKnown = (_file, _size, sum) => asked.push(sum) > 0;
      expect((await inspectFiles(directory.path, sums)).damages).to.be.empty;
      expect(asked).to.deep.equal([crc32(bytes)]);
    }
  });

  it('keep the sums of existing tables, and forget others, when a new one comes', async () => {
    await makeStore();
    const known = await readFile(pathOf('VERIFIED'), 'utf8');
    for (const [name, isKept] of [
      ['000098.ldb', false],
      ['000099.ldb', true],
    ] as const) {
      const sums = await TableSums.read(directory.path);
      if (isKept) await inspectFiles(directory.path, sums);
      sums.add(name, 1, 2);
      await sums.write();
      const expected = isKept ? known : '';
      expect(await readFile(pathOf('VERIFIED'), 'utf8')).to.equal(`${expected}${name} 1 00000002\n`);
      await writeFile(pathOf('VERIFIED'), known);
    }
  });

  for (const [what, spoil] of Object.entries<(path: string) => Promise<void>>({
    'are missing': (path) => rm(path),
    'are garbage': (path) => writeFile(path, Buffer.alloc(5_000, 0xa5)),
    'are a folder': async (path) => {
      await rm(path);
      await mkdir(path);
    },
  })) {
    it(`are optional: the store opens when they ${what}`, async () => {
      await makeStore();
      await spoil(pathOf('VERIFIED'));
      await open();
    });
  }
});
