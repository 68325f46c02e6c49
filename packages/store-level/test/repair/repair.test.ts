import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import { NO_STAMP } from '@tallybook/domain/record';
import { LevelStorage } from '@tallybook/store-level';
import { commitKey, dayKey, entryKey, identityKey, nameKey } from '../../src/rows/keys.js';
import { readAcknowledgedCommits } from '../../src/directory/acknowledged-commits.js';
import { noRows } from '../../src/rows/row-kinds.js';
import { checkRows } from '../fixtures/check-rows.js';
import { startChild } from '../fixtures/programs/child.js';
import { readContent } from '../fixtures/known-store.js';
import { bytesOf, useKnownDirectory } from '../fixtures/known-directory.js';
import { deleteRawRows, hexOf, writeRawRows, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../fixtures/rejection.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { usedBytes } from '../fixtures/disk/used-bytes.js';
import { facetOf } from '@tallybook/testing';

const day = toDay(20_411);
const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('0006547886');
const at = (second: number) => toTimestamp(1_763_500_000 + second);
const hex = (key: Buffer): string => key.toString('hex');

describe('Repairing a store', () => {
  const directory = useKnownDirectory();
  const { fill, content, loseCurrent } = directory;

  it('does not change a sound one, byte for byte, and counts its rows', async () => {
    const all = await fill();
    const before = await bytesOf(directory.path);
    const report = await LevelStorage.repair(directory.path);
    expect(report).to.include({ keptIn: undefined, damagedRows: 0, missingCommits: 0 });
    expect(report.damages).to.be.empty;
    const keys = [...all.keys()];
    expect(report.saved.names).to.equal(keys.filter((key) => key.startsWith('name')).length);
    expect(report.saved.entries).to.equal(keys.filter((key) => key.startsWith('entry')).length);
    expect(report.saved.days).to.equal(4);
    expect(await bytesOf(directory.path)).to.deep.equal(before);
  });

  it('gives the number of commits that may be missing if the identity of the store is lost', async () => {
    await fill();
    const { commits = 0 } = readAcknowledgedCommits(directory.path)[0] ?? {};
    await deleteRawRows(directory.path, [hex(identityKey), hex(commitKey)]);
    const report = await LevelStorage.repair(directory.path);
    expect(commits).to.be.above(0);
    expect(report).to.include({ missingCommits: commits, isMissingAtMost: true });
    expect(report.damages).to.include(`up to the latest ${commits} commits are missing or damaged`);
  });

  it('reports no possibly missing commits if none can be missing', async () => {
    await fill();
    await deleteRawRows(directory.path, [hex(identityKey)]);
    const report = await LevelStorage.repair(directory.path);
    expect(report).to.include({ missingCommits: 0, isMissingAtMost: false });
  });

  it('keeps the path of the store, and keeps the old files beside the new ones', async () => {
    const all = await fill();
    await loseCurrent();
    const before = await bytesOf(directory.path);
    before.delete('LOCK');
    const { keptIn, saved } = await LevelStorage.repair(directory.path);
    expect(keptIn).to.equal(join(directory.path, 'damaged-1'));
    expect(await bytesOf(keptIn ?? '')).to.deep.equal(before);
    expect(saved.names + saved.entries).to.equal(all.size);
    expect(await content()).to.deep.equal(all);
    expect((await readdir(directory.path)).filter((name) => name.startsWith('repair-'))).to.be.empty;
  });

  it('keeps the old files of each repair', async () => {
    const all = await fill();
    for (const expected of ['damaged-1', 'damaged-2']) {
      await loseCurrent();
      const { keptIn } = await LevelStorage.repair(directory.path);
      expect(keptIn).to.equal(join(directory.path, expected));
    }
    expect(await content()).to.deep.equal(all);
  });

  it('saves the readable data when all files are damaged at once', async () => {
    const all = await fill();
    const names = await readdir(directory.path);
    await loseCurrent();
    for (const name of names.filter((each) => /MANIFEST|\.ldb$|\.log$/.test(each))) {
      const bytes = await readFile(join(directory.path, name));
      const middle = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 0x10, middle);
      await writeFile(join(directory.path, name), bytes);
    }
    const report = await LevelStorage.repair(directory.path);
    expect(report.damages.length).to.be.at.least(4);
    const saved = await content();
    expect(saved.size).to.be.within(all.size / 4, all.size);
    expect(saved.size).to.equal(report.saved.names + report.saved.entries);
  });

  it('restores the count of a day whose row is lost, and corrects the count of a day that lost entries', async () => {
    {
      await using stores = await openStores(directory.path);
      for (const [n, id] of [ada, bob, parseTallyId('010203')].entries()) {
        for (const each of [day, toDay(day + 1)]) await stores.days.record(each, id, at(n));
      }
    }
    await deleteRawRows(directory.path, [hex(dayKey(day)), hex(entryKey(toDay(day + 1), ada))]);
    const report = await LevelStorage.repair(directory.path);
    expect(report.damages).to.deep.equal([
      'day 20412 should have 3 entries and has 2',
      'day 20411 should have 0 entries and has 3',
    ]);
    expect(report.saved).to.include({ days: 2, entries: 5 });
    await checkRows(directory.path, { areCountsExact: true, isRepaired: true });
    await using stores = await openStores(directory.path);
    expect((await stores.days.load(day))?.entries).to.have.lengthOf(3);
    expect((await stores.days.load(toDay(day + 1)))?.entries.map(({ id }) => id)).to.deep.equal([
      bob,
      parseTallyId('010203'),
    ]);
  });

  it('leaves out rows with a right checksum and invalid content', async () => {
    {
      await using stores = await openStores(directory.path);
      await stores.names.put(ada, { first: 'Ada', last: '' });
      await stores.days.record(day, bob, at(0));
    }
    await writeRows(directory.path, {
      [hex(nameKey(bob))]: hexOf('{"first":7}'),
      ['08ff']: '00',
      ['0200004f']: '01',
    });
    const report = await LevelStorage.repair(directory.path);
    expect(report).to.include({ damagedRows: 3 });
    expect(report.saved).to.include({ names: 1, days: 1, entries: 1 });
  });

  it('keeps provisional scans, and does not add them twice', async () => {
    const scan = {
      id: ada,
      reader: 'door',
      bootId: 'boot',
      monotonicMs: 1_000,
      shown: at(0),
      notBefore: at(0),
    };
    {
      await using store = facetOf(new LevelStorage(directory.path), 'provisional');
      await store.open();
      expect(await store.add(scan)).to.equal(1);
    }
    await loseCurrent();
    expect((await LevelStorage.repair(directory.path)).saved).to.include({ provisional: 1 });
    await using store = facetOf(new LevelStorage(directory.path), 'provisional');
    await store.open();
    expect(await store.add(scan)).to.equal(1);
    expect(await store.add({ ...scan, monotonicMs: 2_000 })).to.equal(2);
  });

  describe('with many names that were written together', () => {
    const NAMES = 59;
    /** Of a change in the log, after the names. */
    const CHANGE_BYTES = 25;
    const ids = Array.from({ length: NAMES }, (_, n) =>
      parseTallyId((4_096 + n).toString(16).padStart(8, '0')),
    );

    beforeEach(async () => {
      await using stores = await openStores(directory.path);
      await put(stores, [ada], 'Ada');
      await put(stores, ids, 'Bob');
    });

    /** Without stamps, whose rows would be between those of the names. */
    async function put({ database }: OpenStores, all: readonly TallyId[], first: string): Promise<void> {
      await Promise.all(
        all.map((id) => database.stampedNames.replace([{ id, name: { first, last: id }, stamp: NO_STAMP }])),
      );
    }

    async function cutLog(bytes: number): Promise<string> {
      const log = (await readdir(directory.path)).find((name) => name.endsWith('.log')) ?? '';
      const path = join(directory.path, log);
      await truncate(path, (await usedBytes(path)) - bytes);
      return log;
    }

    it('loses the changes and one name if the log is one byte too short, and reports that', async () => {
      const log = await cutLog(NAMES * CHANGE_BYTES + 1);
      const end = 'its end is damaged: the latest acknowledged commit is missing';
      // It prevents LevelDB from deleting the log.
      const refused = await rejection(openStores(directory.path), 'STORE_CORRUPT');
      expect(refused.message).to.include(`${log}: ${end}`);
      const report = await LevelStorage.repair(directory.path);
      expect(report).to.deep.include({
        damages: [`${log}: ${end}`, 'the latest commit is missing or damaged'],
        rescuedRows: NAMES - 1,
        damagedRows: 0,
        // The torn commit does not end, so nobody knows how many changes it had.
        lostChanges: 0,
        missingCommits: 1,
      });
      expect(report.saved.names).to.equal(NAMES);
      await using stores = await openStores(directory.path);
      expect([...(await stores.names.read()).keys()]).to.have.members([ada, ...ids.slice(0, -1)]);
    });

    it('is repaired like this by opening it, if that is set', async () => {
      await cutLog(NAMES * CHANGE_BYTES + 1);
      await using stores = await openStores(directory.path, { repairsDamage: true });
      expect((await stores.names.read()).size).to.equal(NAMES);
    });

    it('loses one of them also if the log has no other record', async () => {
      await (await openStores(directory.path))[Symbol.asyncDispose]();
      {
        await using stores = await openStores(directory.path);
        await put(stores, ids, 'Carl');
      }
      await cutLog(NAMES * CHANGE_BYTES + 1);
      await using stores = await openStores(directory.path, { repairsDamage: true });
      const firsts = [...(await stores.names.read()).values()].map(({ first }) => first);
      expect(firsts.filter((first) => first === 'Carl')).to.have.lengthOf(NAMES - 1);
      // An older state of the last name is there.
      expect(firsts.filter((first) => first === 'Bob')).to.have.lengthOf(1);
    });

    it('is sound if the torn write was not acknowledged, and is unchanged', async () => {
      await cutLog(1);
      for (const name of (await readdir(directory.path)).filter((each) => each.startsWith('ACKNOWLEDGED')))
        await rm(join(directory.path, name));
      const before = await bytesOf(directory.path);
      const report = await LevelStorage.repair(directory.path);
      expect(report).to.deep.include({ damages: [], rescuedRows: 0, lostChanges: 0, keptIn: undefined });
      expect(report.saved.names).to.equal(1);
      expect(await bytesOf(directory.path)).to.deep.equal(before);
    });

    it('gives the number of damaged blocks, whose rows may be lost', async () => {
      await (await openStores(directory.path))[Symbol.asyncDispose]();
      const table = (await readdir(directory.path)).find((name) => name.endsWith('.ldb')) ?? '';
      const bytes = await readFile(join(directory.path, table));
      const at = bytes.lastIndexOf('"Bob"');
      bytes.fill(0xff, at, at + 10);
      await writeFile(join(directory.path, table), bytes);
      const report = await LevelStorage.repair(directory.path);
      expect(report.damages[0]).to.match(/\.ldb: its block at \d+ is damaged$/);
      expect(report).to.include({ brokenBlocks: 1 });
      expect(report.saved.names).to.equal(NAMES);
    });

    it('loses one row, and reports that, if one bit of a table is wrong', async () => {
      await (await openStores(directory.path))[Symbol.asyncDispose]();
      const table = (await readdir(directory.path)).find((name) => name.endsWith('.ldb')) ?? '';
      const bytes = await readFile(join(directory.path, table));
      const at = bytes.lastIndexOf('"Bob"');
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
      await writeFile(join(directory.path, table), bytes);
      const report = await LevelStorage.repair(directory.path);
      expect(report.damages).to.have.lengthOf(1);
      expect(report.damages[0]).to.match(/its block at \d+ is damaged/);
      expect(report).to.include({ brokenBlocks: 1, damagedRows: 0, lostChanges: 0, missingCommits: 0 });
      await using stores = await openStores(directory.path);
      expect([...(await stores.names.read()).keys()]).to.have.members([ada, ...ids.slice(0, -1)]);
    });
  });

  it('is done at the opening, if that is set, and reported', async () => {
    const all = await fill();
    await loseCurrent();
    const notices: string[] = [];
    const stores = await openStores(directory.path, {
      repairsDamage: true,
      notify: (notice) =>
        notices.push(notice.kind === 'repaired' ? String(notice.report.keptIn) : notice.kind),
    });
    expect(await readContent(stores)).to.deep.equal(all);
    expect(notices).to.deep.equal(['repairing', join(directory.path, 'damaged-1')]);
    await stores[Symbol.asyncDispose]();
  });

  it('is not done for errors other than damage', async () => {
    await writeRawRows(directory.path, { '00': hexOf('{"format":"tallybook","version":2}') });
    await rejection(openStores(directory.path, { repairsDamage: true }), 'STORE_FORMAT_UNSUPPORTED');
    expect(await readdir(directory.path)).not.to.include('damaged-1');
  });

  it('rejects with STORE_UNAVAILABLE without a store, and makes none', async () => {
    for (const path of [directory.path, join(directory.path, 'missing')]) {
      const error = await rejection(LevelStorage.repair(path), 'STORE_UNAVAILABLE');
      expect(error.message).to.include(`there is no store at ${path}`);
    }
    expect(await readdir(directory.path)).to.be.empty;
  });

  for (const [what, rows] of Object.entries({
    'another version': { '00': hexOf('{"format":"tallybook","version":2}') },
    'another program': { [hexOf('user:1')]: hexOf('{}') },
  })) {
    it(`rejects with STORE_FORMAT_UNSUPPORTED for a store of ${what}, damaged or not, and changes nothing`, async () => {
      await writeRawRows(directory.path, rows);
      await rejection(LevelStorage.repair(directory.path), 'STORE_FORMAT_UNSUPPORTED');
      await rename(join(directory.path, 'CURRENT'), join(directory.path, 'kept'));
      const before = await bytesOf(directory.path);
      await rejection(LevelStorage.repair(directory.path), 'STORE_FORMAT_UNSUPPORTED');
      expect(await bytesOf(directory.path)).to.deep.equal(before);
    });
  }

  it('rejects with STORE_LOCKED while this process or another one has the store, and changes nothing', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    const { process, lines } = startChild('holder.ts', directory.path);
    expect(await once(lines, 'line')).to.deep.equal(['open']);
    await rejection(LevelStorage.repair(directory.path), 'STORE_LOCKED');
    // Also if the store seems damaged, like one during writes.
    await loseCurrent();
    await rejection(openStores(directory.path), 'STORE_LOCKED');
    process.stdin.end();
    await once(process, 'close');
    expect(await readdir(directory.path)).not.to.include('damaged-1');
    await LevelStorage.repair(directory.path);
    await using stores = await openStores(directory.path);
    await rejection(LevelStorage.repair(directory.path), 'STORE_LOCKED');
    expect(await stores.days.record(day, ada, at(0))).to.equal('counted');
  });

  it('makes an empty store from a store without any data left', async () => {
    await fill();
    for (const name of await readdir(directory.path)) {
      if (/MANIFEST|CURRENT|\.ldb$|\.log$/.test(name)) await writeFile(join(directory.path, name), '');
    }
    const report = await LevelStorage.repair(directory.path);
    expect(report.saved).to.deep.equal(noRows);
    expect(report.damages).not.to.be.empty;
    expect((await content()).size).to.equal(0);
  });

  it('skips a table and a log that are folders', async () => {
    const all = await fill();
    const names = await readdir(directory.path);
    const replaced = [/\.ldb$/, /\.log$/].map((kind) => names.find((name) => kind.test(name)) ?? '');
    for (const name of replaced) {
      await rm(join(directory.path, name));
      await mkdir(join(directory.path, name));
    }
    await rejection(openStores(directory.path), 'STORE_CORRUPT');
    const report = await LevelStorage.repair(directory.path);
    for (const name of replaced) expect(report.damages.join('\n')).to.include(`${name}: it `);
    expect((await content()).size).to.be.within(1, all.size);
  });

  it('restores missing rows that describe the store', async () => {
    const all = await fill();
    await writeRawRows(directory.path, { [hex(identityKey)]: '00', [hex(commitKey)]: '00' });
    await rejection(openStores(directory.path), 'STORE_CORRUPT');
    await LevelStorage.repair(directory.path);
    expect(await content()).to.deep.equal(all);
  });
});

/** The files of a folder with their content. */
