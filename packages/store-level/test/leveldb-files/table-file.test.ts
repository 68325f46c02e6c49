import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RowVersion } from '../../src/leveldb-files/stored-rows.js';
import { TableFile } from '../../src/leveldb-files/table-file.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { makeTable as makeTableOf, noise } from '../fixtures/leveldb/sound-table.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const ROWS = 300;
const FOOTER = 48;
const PAGE = 4_096;

const valueOf = (index: number): Buffer => noise(index + 1, 150);

describe('TableFile', () => {
  const directory = useTempDirectory();

  /** A table that LevelDB makes from a log, and its content. */
  async function makeTable(rows = ROWS): Promise<{ path: string; bytes: Buffer; versions: RowVersion[] }> {
    const versions: RowVersion[] = [];
    let sequence = 0;
    const keep = (key: Buffer, value: Buffer | undefined): void => {
      versions.push({ key, value, sequence: ++sequence, isDoubtful: false });
    };
    for (let index = 0; index < rows; index++) {
      const key = Buffer.from(`key ${String(index).padStart(4, '0')}`);
      keep(key, valueOf(index));
      if (index % 10 === 3) keep(key, undefined);
    }
    const bytes = await makeTableOf(versions);
    versions.sort((a, b) => a.key.compare(b.key) || b.sequence - a.sequence);
    const path = join(directory.path, '1.ldb');
    await writeFile(path, bytes);
    return { path, bytes, versions };
  }

  /** Reads a table. Bytes that go to the rescue give no rows. */
  async function read(path: string): Promise<{
    rows: RowVersion[];
    blocks: number[];
    reasons: string[];
    rescued: Buffer[];
  }> {
    const rescued: Buffer[] = [];
    const rescue = (bytes: Buffer): readonly RowVersion[] => (rescued.push(Buffer.from(bytes)), []);
    const reasons: string[] = [];
    const rows: RowVersion[] = [];
    const blocks: number[] = [];
    await using table = await TableFile.open(path);
    for await (const block of table.read((reason) => reasons.push(reason), rescue)) {
      blocks.push(block.length);
      rows.push(...block);
    }
    return { rows, blocks, reasons, rescued };
  }

  async function damageOf(path: string, size: number): Promise<string | undefined> {
    await using table = await TableFile.open(path);
    return await table.findDamage(size);
  }

  const flip = async (path: string, bytes: Buffer, at: number): Promise<void> => {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0x20, at);
    await writeFile(path, damaged);
  };

  it('gives all states of all rows, the newest of each first', async () => {
    const { path, bytes, versions } = await makeTable();
    const { rows, blocks, reasons } = await read(path);
    expect(rows).to.deep.equal(versions);
    expect(blocks.length).to.be.greaterThan(3);
    expect(reasons).to.deep.equal([]);
    expect(await damageOf(path, bytes.length)).to.equal(undefined);
  });

  it('gives all of its bytes to the rescue if its index is damaged', async () => {
    const { path, bytes } = await makeTable();
    await flip(path, bytes, bytes.length - 1);
    const { rows, reasons, rescued } = await read(path);
    expect(rows).to.be.empty;
    expect(rescued).to.deep.equal([await readFile(path)]);
    expect(reasons).to.deep.equal(['its index is damaged']);
    expect(await damageOf(path, bytes.length)).to.equal('its index is damaged');
  });

  it('gives the place of a damaged block, its bytes to the rescue, and the rows of all others', async () => {
    const { path, bytes, versions } = await makeTable();
    const { blocks } = await read(path);
    await flip(path, bytes, bytes.indexOf(valueOf(5)) + 10);
    const { rows, reasons, rescued } = await read(path);
    expect(reasons).to.deep.equal(['its block at 0 is damaged']);
    expect(rows).to.deep.equal(versions.slice(blocks[0]));
    expect(rescued).to.have.lengthOf(1);
    expect(rescued[0]?.equals((await readFile(path)).subarray(0, rescued[0].length))).to.equal(true);
  });

  it('finds damage in each block of rows with its place, also in tables larger than one read', async () => {
    const { path, bytes } = await makeTable(1_700);
    expect(bytes.length).to.be.above(262_144);
    expect(await damageOf(path, bytes.length)).to.equal(undefined);
    const starts = await blocksOf(path);
    for (const [n, start] of starts.entries()) {
      // The first and the last byte of a block; the last one belongs to its checksum.
      for (const at of [start, (starts[n + 1] ?? start + 100) - 1]) {
        await flip(path, bytes, at);
        expect(await damageOf(path, bytes.length), `byte ${at}`).to.equal(`its block at ${start} is damaged`);
      }
    }
  });

  /** The offsets of blocks of rows: all of them are reported if every block is damaged. */
  async function blocksOf(path: string): Promise<readonly number[]> {
    const bytes = await readFile(path);
    const spoilt = Buffer.from(bytes);
    const end = bytes.lastIndexOf('filter.leveldb.') - bytes.length / 10;
    for (let at = 0; at < end; at += 50) spoilt.writeUInt8(spoilt.readUInt8(at) ^ 1, at);
    await writeFile(path, spoilt);
    const { reasons } = await read(path);
    await writeFile(path, bytes);
    return reasons.map((reason) => Number(/at (\d+)/.exec(reason)?.[1]));
  }

  it('finds damage in the filter, in both indices and in the footer', async () => {
    const { path, bytes } = await makeTable();
    const filter = bytes.lastIndexOf('filter.leveldb.');
    const isSeen = async (at: number): Promise<boolean> => {
      await flip(path, bytes, at);
      return (await damageOf(path, bytes.length)) !== undefined;
    };
    for (let at = filter - 60; at < bytes.length - FOOTER; at += 3)
      expect(await isSeen(at), `byte ${at}`).to.equal(true);
    for (let at = bytes.length - 8; at < bytes.length; at++)
      expect(await isSeen(at), `byte ${at}`).to.equal(true);
  });

  it('distinguishes damage of the filter or its index from damage of the index of blocks, which it uses then', async () => {
    const { path, bytes, versions } = await makeTable();
    const sound = await read(path);
    // The key in the index of the filter comes after three numbers, and after the filter.
    const filterIndex = bytes.lastIndexOf('filter.leveldb.') - 3;
    for (const at of [
      filterIndex - 20,
      filterIndex,
      filterIndex + 10,
      filterIndex + 20,
      bytes.length - FOOTER,
    ]) {
      await flip(path, bytes, at);
      expect(await read(path), `byte ${at}`).to.deep.equal({ ...sound, reasons: ['its filter is damaged'] });
      expect(await damageOf(path, bytes.length), `byte ${at}`).to.equal('its filter is damaged');
    }
    expect(sound.rows).to.deep.equal(versions);
  });

  it('reports a block and the filter if both are damaged', async () => {
    const { path, bytes, versions } = await makeTable();
    const { blocks } = await read(path);
    const damaged = Buffer.from(bytes);
    for (const at of [bytes.indexOf(valueOf(5)) + 10, bytes.lastIndexOf('filter.leveldb.')])
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    await writeFile(path, damaged);
    const { rows, reasons } = await read(path);
    expect(reasons).to.deep.equal(['its filter is damaged', 'its block at 0 is damaged']);
    expect(rows).to.deep.equal(versions.slice(blocks[0]));
  });

  it('gives what is left of a cut table to the rescue', async () => {
    const { path, bytes } = await makeTable();
    for (const size of [bytes.length - 1, Math.floor(bytes.length / 2), 6_000, FOOTER, FOOTER - 1, 1, 0]) {
      await writeFile(path, bytes);
      await truncate(path, size);
      const { reasons, rescued } = await read(path);
      expect(reasons, `cut at ${size}`).to.deep.equal(['its index is damaged']);
      expect(rescued, `cut at ${size}`).to.deep.equal([bytes.subarray(0, size)]);
      expect(await damageOf(path, size), `cut at ${size}`).to.equal('its index is damaged');
    }
  });

  it('distinguishes an unreadable file from a damaged one', async () => {
    const { path, bytes } = await makeTable();
    const table = await TableFile.open(path);
    await table[Symbol.asyncDispose]();
    const failure: unknown = await table.findDamage(bytes.length).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'EBADF');
  });

  describe('on a worn disk', () => {
    const calls = useFileCalls();

    it('distinguishes an unreadable page at any place of the table from damage', async () => {
      const { path, bytes } = await makeTable();
      const pages = Math.ceil(bytes.length / PAGE);
      expect(pages).to.be.above(3);
      for (let page = 0; page < pages; page++) {
        calls.failReadingPart(path, page * PAGE, page * PAGE + 1);
        const outcome: unknown = await damageOf(path, bytes.length).catch((error: unknown) => error);
        expect(outcome, `page ${page}`).to.have.property('code', 'EIO');
        calls.healParts();
      }
    });
  });
});
