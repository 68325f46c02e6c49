import { once } from 'node:events';
import { appendFile, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LevelStorage, type StoreNotice } from '@tallybook/store-level';
import { readLog } from '../../src/leveldb-files/log-file.js';
import { startChild } from '../fixtures/programs/child.js';
import { fileOf } from '../fixtures/known-directory.js';
import { contentOf, makeKnownStore, makeOneTable, readContent } from '../fixtures/known-store.js';
import { fragment, logOf } from '../fixtures/leveldb/leveldb-log.js';
import { came, comparator, lastSequence, log, manifest } from '../fixtures/leveldb/leveldb-manifest.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

/** The head of a block of rows, which LevelDB does not check: some of these flips end the process at the first read. */
const HEAD_BITS = 24;
const FIRST_BIT = 32;
const STARTS = 2;

/** Damage with which LevelDB ends the process, or no longer opens. */
describe('Damage that ends LevelDB', () => {
  const directory = useTempDirectory();
  const storePath = (): string => join(directory.path, 'store');

  /** Copies of the store, each with other damage. */
  async function damagedCopies(
    count: number,
    damage: (path: string, n: number) => Promise<void>,
  ): Promise<string[]> {
    return Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const copy = join(directory.path, `copy-${n}`);
        await cp(storePath(), copy, { recursive: true });
        await damage(copy, n);
        return copy;
      }),
    );
  }

  /** Starts on the stores, one after another, and gives the number of names of each, and the end of the process. */
  async function start(
    paths: readonly string[],
  ): Promise<{ readonly counts: number[]; readonly end: unknown }> {
    const { process, lines } = startChild('opener.ts', ...paths);
    const counts: number[] = [];
    lines.on('line', (line) => counts.push(Number(line)));
    const [code, signal] = (await once(process, 'close')) as [number | null, string | null];
    return { counts, end: signal ?? code };
  }

  it('is found before a row is read, and repaired, for each flipped bit in the head of a block', async () => {
    await makeOneTable(storePath());
    const copies = await damagedCopies(HEAD_BITS, async (path, n) => {
      const bit = FIRST_BIT + n;
      const table = await fileOf(path, /\.ldb$/);
      const bytes = await readFile(table);
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      await writeFile(table, bytes);
    });
    for (let from = 0; from < copies.length; from += HEAD_BITS / STARTS) {
      const some = copies.slice(from, from + HEAD_BITS / STARTS);
      const { counts, end } = await start(some);
      expect(end).to.equal(0);
      expect(counts).to.have.lengthOf(some.length);
    }
  });

  it('is found in a log that has a record twice, without losing data', async () => {
    await makeKnownStore(storePath(), 1);
    const [path = ''] = await damagedCopies(1, async (copy) => {
      const log = await fileOf(copy, /\.log$/);
      const { records } = readLog(await readFile(log));
      await writeFile(log, logOf([...records, ...records.slice(-1)]));
    });
    expect((await start([path])).end).to.equal(0);
    const content = new Map(await contentOf(path));
    content.delete('name 010203');
    expect(content).to.deep.equal(await contentOf(storePath()));
  });

  it('is repaired without losing data also if only LevelDB finds it', async () => {
    await makeKnownStore(storePath(), 1);
    const content = await contentOf(storePath());
    const [, number = ''] = /(\d+)\.log$/.exec(await fileOf(storePath(), /\.log$/)) ?? [];
    // Without the number of the next file.
    const edit = [comparator, log(Number(number)), lastSequence];
    for (const table of await tablesOf(storePath())) edit.push(table);
    await writeFile(await fileOf(storePath(), /^MANIFEST/), manifest(edit));
    const notices: StoreNotice[] = [];
    {
      await using stores = await openStores(storePath(), {
        repairsDamage: true,
        notify: (notice) => notices.push(notice),
        checkAfterMs: 600_000,
      });
      expect(await readContent(stores)).to.deep.equal(content);
    }
    expect(notices.map(({ kind }) => kind)).to.deep.equal(['repairing', 'repaired']);
    expect(notices[0])
      .to.have.property('reason')
      .that.matches(/no meta-nextfile entry/);
    expect(notices[1])
      .to.have.nested.property('report.damages[0]')
      .that.matches(/no meta-nextfile entry/);
  });

  describe('because the manifest', () => {
    const tails: Readonly<Record<string, Buffer>> = {
      'ends with a record of no known type': fragment(7, Buffer.from('abc')),
      'ends with the end of a record that has no beginning': fragment(4, Buffer.from('abc')),
    };
    for (const [what, tail] of Object.entries(tails)) {
      it(`${what} is found, and repaired without losing data`, async () => {
        await makeKnownStore(storePath(), 2);
        const content = await contentOf(storePath());
        await appendFile(await fileOf(storePath(), /^MANIFEST/), tail);
        const { message } = await rejection(openStores(storePath()), 'STORE_CORRUPT');
        expect(message).to.match(/MANIFEST-\d+: its record at \d+ is damaged/);
        const { damages } = await LevelStorage.repair(storePath());
        expect(damages[0]).to.match(/MANIFEST/);
        expect(await contentOf(storePath())).to.deep.equal(content);
      });
    }
  });

  /** The fields of a manifest that name the tables of a store. */
  async function tablesOf(path: string): Promise<readonly Buffer[]> {
    const names = (await readdir(path)).filter((name) => name.endsWith('.ldb'));
    return Promise.all(
      names.map(async (name) => came(parseInt(name, 10), (await stat(join(path, name))).size)),
    );
  }
});
