import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FileDamage } from '../../src/repair/inspect-files.js';
import { formatKey } from '../../src/rows/keys.js';
import { salvage } from '../../src/repair/salvage.js';
import { seal } from '../../src/rows/seal.js';
import { batch, del, put } from '../fixtures/leveldb/leveldb-batch.js';
import { logOf } from '../fixtures/leveldb/leveldb-log.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { makeTable, noise, type Change } from '../fixtures/leveldb/sound-table.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const keyOf = (name: string): Buffer => Buffer.from(`\u0001${name}`, 'latin1');

/** A row as it is written, with its checksum. */
function good(name: string, value: string): Change & { readonly value: Buffer } {
  const key = keyOf(name);
  return { key, value: seal(key, Buffer.from(value)) };
}

/** A row whose checksum is wrong. */
function bad(name: string): Change & { readonly value: Buffer } {
  return { key: keyOf(name), value: Buffer.from('not what was written') };
}

const putRow = ({ key, value }: { key: Buffer; value: Buffer }): Buffer => put(key, value);
/** The first record of a log with its checksum damaged. */
const doubtful = (log: Buffer): Buffer => Buffer.concat([Buffer.of(log.readUInt8(0) ^ 1), log.subarray(1)]);

describe('salvage', () => {
  const directory = useTempDirectory();

  async function write(name: string, bytes: Buffer): Promise<string> {
    await writeFile(join(directory.path, name), bytes);
    return name;
  }

  /** The rows that are saved from files, by name, and the reports. */
  async function save(files: {
    readonly tables?: readonly string[];
    readonly logs?: readonly string[];
  }): Promise<{
    rows: [string, string][];
    damages: FileDamage[];
    damagedRows: number;
    lostChanges: number;
  }> {
    const rows: [string, string][] = [];
    const damages: FileDamage[] = [];
    let damagedRows = 0;
    let lostChanges = 0;
    const all = { tables: files.tables ?? [], logs: files.logs ?? [], damages: [] };
    for await (const { key, value } of salvage(directory.path, all, {
      onDamage: (damage) => damages.push(damage),
      onDamagedRow: () => damagedRows++,
      onLostChanges: (count) => (lostChanges += count),
      onBrokenBlock: () => undefined,
    })) {
      rows.push([key.toString('latin1', 1), value.toString()]);
    }
    return { rows, damages, damagedRows, lostChanges };
  }

  it('gives the newest state of each row, by key, from all files', async () => {
    const tables = [
      await write('000001.ldb', await makeTable([good('a', 'a1'), good('c', 'c2'), good('e', 'e3')])),
      await write('000002.ldb', await makeTable([good('d', 'd1'), good('b', 'b2'), good('b', 'b3')])),
    ];
    const logs = [
      await write('000003.log', logOf([batch(10n, putRow(good('c', 'c10')), putRow(good('f', 'f11')))])),
      await write('000004.log', logOf([batch(20n, putRow(good('f', 'f20')), putRow(good('a', 'a21')))])),
    ];
    expect(await save({ tables, logs })).to.deep.equal({
      rows: [
        ['a', 'a21'],
        ['b', 'b3'],
        ['c', 'c10'],
        ['d', 'd1'],
        ['e', 'e3'],
        ['f', 'f20'],
      ],
      damages: [],
      damagedRows: 0,
      lostChanges: 0,
    });
  });

  it('gives no deleted row, also not that of the format', async () => {
    const format = Buffer.from('{}');
    const log = logOf([
      batch(1n, put(formatKey, format), putRow(good('a', 'a')), del(keyOf('a')), del(formatKey)),
    ]);
    expect(await save({ logs: [await write('1.log', log)] })).to.include({ damagedRows: 0 });
    expect((await save({ logs: ['1.log'] })).rows).to.be.empty;
  });

  it('gives the row of the format, which has no checksum', async () => {
    const log = logOf([batch(1n, put(formatKey, Buffer.from('{}')))]);
    expect((await save({ logs: [await write('1.log', log)] })).rows).to.deep.equal([['', '{}']]);
  });

  it('uses the newest sound state of a damaged row, and reports each such row once', async () => {
    const changes = [
      good('a', 'a1'),
      good('a', 'a2'),
      bad('a'),
      bad('a'),
      good('b', 'b'),
      bad('b'),
      bad('c'),
    ];
    const log = logOf([batch(1n, ...changes.map(putRow))]);
    expect(await save({ logs: [await write('1.log', log)] })).to.deep.equal({
      rows: [
        ['a', 'a2'],
        ['b', 'b'],
      ],
      damages: [],
      damagedRows: 3,
      lostChanges: 0,
    });
  });

  it('treats a row as deleted if only earlier states are damaged', async () => {
    const log = logOf([batch(1n, putRow(good('a', 'a1')), putRow(bad('a')), del(keyOf('a')))]);
    const { rows, damagedRows } = await save({ logs: [await write('1.log', log)] });
    expect({ rows, damagedRows }).to.deep.equal({ rows: [], damagedRows: 0 });
  });

  it('uses only rows with a right seal from places with a wrong checksum', async () => {
    const vouched = logOf([batch(1n, putRow(good('a', 'a1')), putRow(good('b', 'b2')))]);
    const doubted = logOf([
      batch(10n, putRow(good('a', 'a10')), del(keyOf('b')), putRow(bad('b')), putRow(bad('c'))),
    ]);
    const logs = [await write('1.log', vouched), await write('2.log', doubtful(doubted))];
    const { rows, damagedRows, lostChanges } = await save({ logs });
    expect(rows).to.deep.equal([
      ['a', 'a10'],
      // Its deletion is ignored: there are no such keys.
      ['b', 'b2'],
    ]);
    expect({ damagedRows, lostChanges }).to.deep.equal({ damagedRows: 0, lostChanges: 0 });
  });

  it('gives the number of lost changes between two records', async () => {
    const record = (sequence: bigint, ...names: readonly string[]): Buffer =>
      batch(sequence, ...names.map((name) => putRow(good(name, name))));
    const log = logOf([record(1n, 'a'), record(2n, 'b', 'c', 'd'), record(5n, 'e')]);
    const at = log.indexOf(good('c', 'c').value);
    log.writeUInt8(log.readUInt8(at) ^ 1, at);
    const { rows, lostChanges } = await save({ logs: [await write('1.log', log)] });
    expect(rows.map(([name]) => name)).to.deep.equal(['a', 'b', 'd', 'e']);
    expect(lostChanges).to.equal(1);
  });

  it('continues after a completely lost block, and gives its place', async () => {
    const changes = Array.from({ length: 30 }, (_, n) => ({
      name: String(n).padStart(2, '0'),
      value: noise(n, 600),
    }));
    const table = await makeTable(
      changes.map(({ name, value }) => ({ key: keyOf(name), value: seal(keyOf(name), value) })),
    );
    table.fill(0, 0, 4_500);
    const { rows, damages } = await save({ tables: [await write('1.ldb', table)] });
    expect(damages[0]).to.deep.equal({ file: '1.ldb', reason: 'its block at 0 is damaged' });
    const names = rows.map(([name]) => name);
    expect(names).to.deep.equal(changes.slice(-names.length).map(({ name }) => name));
    expect(names).to.have.length.within(12, 29);
  });

  it('names unreadable files, and continues with the others', async () => {
    await mkdir(join(directory.path, '1.ldb', 'so that it is larger than a footer'), { recursive: true });
    await mkdir(join(directory.path, '2.log'));
    const log = await write('3.log', logOf([batch(1n, putRow(good('a', 'a')))]));
    const { rows, damages } = await save({ tables: ['1.ldb', '0.ldb'], logs: ['2.log', log] });
    expect(rows).to.deep.equal([['a', 'a']]);
    expect(damages.map(({ file }) => file)).to.deep.equal(['1.ldb', '0.ldb', '2.log']);
    for (const { file, reason } of damages)
      expect(reason).to.match(
        file === '0.ldb' ? /^it cannot be read: .*ENOENT/ : /^it cannot be read: .*EISDIR/,
      );
  });

  it('leaves no file open when the reader stops', async () => {
    const tables = [
      await write('1.ldb', await makeTable([good('a', 'a'), good('b', 'b')])),
      await write('2.ldb', await makeTable([good('c', 'c')])),
    ];
    const ignored = (): void => undefined;
    const report = {
      onDamage: ignored,
      onDamagedRow: ignored,
      onLostChanges: ignored,
      onBrokenBlock: ignored,
    };
    let given = 0;
    for await (const { key } of salvage(directory.path, { tables, logs: [], damages: [] }, report)) {
      expect(key).to.deep.equal(keyOf('a'));
      expect(openFiles(directory.path)).to.deep.equal(tables);
      given++;
      break;
    }
    expect(given).to.equal(1);
    expect(openFiles(directory.path)).to.be.empty;
  });
});
