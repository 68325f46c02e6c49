import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, toDay, type Entry } from '@tallybook/domain';
import {
  encodeDay,
  encodeEntry,
  encodeName,
  encodeProvisional,
  encodeSequence,
} from '../../src/rows/codec.js';
import {
  commitKey,
  dayKey,
  entryKey,
  changeKey,
  formatKey,
  identityKey,
  journalBoundsKey,
  latestSequenceKey,
  momentKey,
  nameKey,
  provisionalKey,
  scanKey,
  siteKeyKey,
} from '../../src/rows/keys.js';
import { IDENTITY_BYTES, stamp } from '../../src/rows/format-row.js';
import { openRaw } from '../../src/level/raw-level.js';
import { repairStore } from '../../src/repair/repair-store.js';
import { noRows } from '../../src/rows/row-kinds.js';
import { writeRows, type Row } from '../../src/rows/rows.js';
import { AcknowledgedCommits } from '../../src/directory/acknowledged-commits.js';
import { useFreeSpace } from '../fixtures/disk/free-space.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { readRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { noise } from '../fixtures/leveldb/sound-table.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, bob, day, at } from '../../../testing/test/fixtures/known-values.js';

const scan = { id: ada, reader: 'door', bootId: 'boot', monotonicMs: 1_000, shown: at(0), notBefore: at(0) };

const nameRow = (id = ada): Row => ({ key: nameKey(id), value: encodeName({ first: 'Ada', last: '' }) });
const dayRow = (count: number): Row => ({ key: dayKey(day), value: encodeDay(count) });
const entryRow = (id: Entry['id'], order: number): Row => ({
  key: entryKey(day, id),
  value: encodeEntry({ entry: { id, first: at(0), last: at(9), count: 3 }, order }),
});
const scanRow = (second: number): Row => ({ key: scanKey(day, ada, at(second)), value: Buffer.of(0) });
const provisionalRows: readonly Row[] = [
  { key: provisionalKey(7), value: encodeProvisional(scan) },
  { key: momentKey(scan), value: encodeSequence(7) },
  { key: latestSequenceKey, value: encodeSequence(7) },
];
const identity = Buffer.from('identity');
const identityRow: Row = { key: identityKey, value: identity };
const commitRow = (commits: number): Row => ({ key: commitKey, value: encodeSequence(commits) });
/** A row with a right checksum and an invalid key. */
const meaningless: Row = { key: Buffer.of(0x7f), value: Buffer.alloc(0) };

describe('repairStore', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();
  const space = useFreeSpace();

  /** Makes a LevelDB with these rows, marked as a store or not. */
  async function lay(rows: readonly Row[], isStamped = true): Promise<void> {
    const raw = await openRaw(directory.path, true);
    if (isStamped) await stamp(raw);
    await writeRows(raw, rows);
    await raw.close();
  }

  async function layDamagedRow(): Promise<void> {
    const raw = await openRaw(directory.path, true);
    await raw.put(nameKey(bob), Buffer.from('not what was written'));
    await raw.close();
  }

  const layAcknowledgedCommits = (commits: number): void => {
    new AcknowledgedCommits(directory.path, { identity, commits }).close();
  };
  const repair = () => repairStore(directory.path);
  const keys = async (): Promise<readonly string[]> => [...(await readRawRows(directory.path)).keys()];

  it('counts the rows of a sound store, changes nothing, and removes the mark', async () => {
    await lay([
      nameRow(),
      dayRow(2),
      entryRow(ada, 0),
      entryRow(bob, 1),
      scanRow(3),
      scanRow(4),
      scanRow(5),
      ...provisionalRows,
    ]);
    const before = await readdir(directory.path);
    await writeFile(join(directory.path, 'DAMAGED'), '');
    expect(await repair()).to.deep.equal({
      damages: [],
      saved: { ...noRows, names: 1, days: 1, entries: 2, scans: 3, provisional: 1 },
      rescuedRows: 0,
      damagedRows: 0,
      lostChanges: 0,
      brokenBlocks: 0,
      missingCommits: 0,
      isMissingAtMost: false,
      keptIn: undefined,
    });
    expect(await readdir(directory.path)).to.deep.equal(before);
  });

  it('reports the number of damaged or invalid rows', async () => {
    await lay([nameRow(), meaningless]);
    await layDamagedRow();
    expect(await repair()).to.deep.equal({
      damages: ['2 rows are damaged'],
      saved: { ...noRows, names: 1 },
      rescuedRows: 0,
      damagedRows: 2,
      lostChanges: 0,
      brokenBlocks: 0,
      missingCommits: 0,
      isMissingAtMost: false,
      keptIn: join(directory.path, 'damaged-1'),
    });
    expect((await repair()).damages).to.be.empty;
  });

  it('reports damage of a file', async () => {
    await lay([nameRow()]);
    await writeFile(join(directory.path, 'CURRENT'), 'garbage');
    const { damages, saved } = await repair();
    expect(damages).to.deep.equal(['CURRENT: it does not name a manifest']);
    expect(saved).to.deep.equal({ ...noRows, names: 1 });
  });

  it('reports damage that only reading all rows finds, and leaves no file open', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => parseTallyId(`00000${n}`));
    const name = (id: Entry['id']): Row => ({ key: nameKey(id), value: noise(Number(id), 3_000) });
    await lay(ids.map(name));
    // From the log to a table.
    await lay([nameRow()]);
    const table = (await readdir(directory.path)).find((file) => file.endsWith('.ldb')) ?? '';
    const bytes = await readFile(join(directory.path, table));
    bytes.fill(0, 0, 100);
    await writeFile(join(directory.path, table), bytes);
    expect((await repair()).damages).to.include(`${table}: its block at 0 is damaged`);
    expect(openFiles(directory.path)).to.be.empty;
  });

  it('reports missing rows that describe the store', async () => {
    await lay([nameRow()], false);
    const { damages, missingCommits, isMissingAtMost } = await repair();
    expect(damages).to.deep.equal(['the rows that describe the store are missing']);
    expect({ missingCommits, isMissingAtMost }).to.deep.equal({ missingCommits: 0, isMissingAtMost: false });
    expect((await repair()).damages).to.be.empty;
  });

  for (const [what, rows, missing, isAtMost, damages] of [
    [
      'it says which store it is',
      [identityRow, commitRow(3)],
      5,
      false,
      ['the latest 5 commits are missing or damaged'],
    ],
    ['there is no commit yet', [identityRow], 8, false, ['the latest 8 commits are missing or damaged']],
    ['none is', [identityRow, commitRow(8)], 0, false, []],
    [
      'nobody knows which store it is',
      [commitRow(3)],
      5,
      true,
      ['the rows that describe the store are missing', 'up to the latest 5 commits are missing or damaged'],
    ],
    [
      'the identity of the store is lost, and none is missing',
      [commitRow(8)],
      0,
      false,
      ['the rows that describe the store are missing'],
    ],
  ] as const) {
    it(`counts the acknowledged commits that are missing or damaged when ${what}`, async () => {
      await lay([nameRow(), ...rows], false);
      expect(identity).to.have.lengthOf(IDENTITY_BYTES);
      layAcknowledgedCommits(8);
      const report = await repair();
      expect(report.damages).to.deep.equal(damages);
      expect(report).to.include({ missingCommits: missing, isMissingAtMost: isAtMost });
    });
  }

  it('reports days with a wrong number of entries, and repairs them', async () => {
    await lay([dayRow(3), entryRow(ada, 0), entryRow(bob, 2)]);
    const { damages, saved } = await repair();
    expect(damages).to.deep.equal(['day 20411 should have 3 entries and has 2']);
    expect(saved).to.deep.equal({ ...noRows, days: 1, entries: 2 });
    expect((await repair()).damages).to.be.empty;
  });

  it('restores a day from its entries, and not from only its row or its scans', async () => {
    const other = toDay(day + 1);
    await lay([
      entryRow(bob, 0),
      { key: scanKey(toDay(day + 2), ada, at(3)), value: Buffer.of(0) },
      { key: dayKey(other), value: encodeDay(7) },
      meaningless,
    ]);
    expect((await repair()).saved).to.deep.equal({ ...noRows, days: 1, entries: 1 });
    expect(await keys()).not.to.include(dayKey(other).toString('hex'));
    expect((await repair()).damages).to.be.empty;
  });

  it('restores the lost row of the moment of provisional scans', async () => {
    const [provisional, moment] = provisionalRows;
    if (provisional === undefined || moment === undefined) expect.fail('there are three');
    await lay([provisional, meaningless]);
    await repair();
    const rows = await readRawRows(directory.path);
    await lay([moment]);
    expect(rows.get(moment.key.toString('hex'))).to.equal(
      (await readRawRows(directory.path)).get(moment.key.toString('hex')),
    );
    expect(rows.has(moment.key.toString('hex'))).to.equal(true);
  });

  it('writes many rows in batches of a thousand, all synced', async () => {
    const ids = Array.from({ length: 2_500 }, (_, n) => parseTallyId(String(n).padStart(6, '0')));
    await lay([...ids.map(nameRow), meaningless]);
    probe.current.forget();
    expect((await repair()).saved.names).to.equal(2_500);
    const { batches } = probe.current;
    expect(Math.max(...batches.map(({ operations }) => operations.length))).to.equal(1_000);
    expect(batches.length).to.be.below(10);
    expect(batches.every(({ isSynced }) => isSynced)).to.equal(true);
  });

  describe('when the row of the format is missing', () => {
    const known: Readonly<Record<string, Row>> = {
      'its identity': identityRow,
      'an entry': entryRow(ada, 0),
      'a day': dayRow(0),
      'a name': nameRow(),
    };
    for (const [what, row] of Object.entries(known)) {
      it(`recognises the store by ${what}`, async () => {
        await lay([row], false);
        await layDamagedRow();
        expect(await repair()).to.include({ damagedRows: 1 });
        expect(await keys()).to.include(formatKey.toString('hex'));
      });
    }

    it('rejects with STORE_FORMAT_UNSUPPORTED if no row shows that it is a store, and releases it', async () => {
      await layDamagedRow();
      await writeFile(join(directory.path, 'CURRENT'), 'garbage');
      const before = (await readdir(directory.path)).filter((name) => name !== 'LOCK');
      for (let time = 0; time < 2; time++) await rejection(repair(), 'STORE_FORMAT_UNSUPPORTED');
      expect((await readdir(directory.path)).filter((name) => name !== 'LOCK')).to.deep.equal(before);
    });
  });

  it('makes a new store from an empty LevelDB', async () => {
    await lay([], false);
    expect((await repair()).saved).to.deep.equal(noRows);
    const made = [formatKey, changeKey(10_000_000), identityKey, siteKeyKey, journalBoundsKey];
    expect(await keys()).to.deep.equal(made.map((key) => key.toString('hex')));
  });

  it('rejects with STORE_WRITE_FAILED, and changes nothing, if the disk has no room for a second store', async () => {
    await lay([nameRow()]);
    // From the log to a table.
    await lay([meaningless]);
    const before = await readdir(directory.path);
    const counted = before.filter((name) => /\.(?:ldb|log)$/.test(name));
    expect(counted).to.have.lengthOf(2);
    let needed = 1 << 20;
    for (const name of counted) needed += (await stat(join(directory.path, name))).size;
    space.set(needed - 1);
    const { details } = await rejection(repair(), 'STORE_WRITE_FAILED');
    expect(details).to.deep.equal({ path: directory.path, needed });
    expect(await readdir(directory.path)).to.deep.equal(before);
    space.set(needed);
    expect((await repair()).keptIn).to.equal(join(directory.path, 'damaged-1'));
  });
});
