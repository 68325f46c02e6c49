import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, type TallyId } from '@tallybook/domain';
import { NO_STAMP } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { noRows } from '../../src/rows/row-kinds.js';
import { startChild } from '../fixtures/programs/child.js';
import { readContent } from '../fixtures/known-store.js';
import { bytesOf, fileOf, useKnownDirectory } from '../fixtures/known-directory.js';
import { hexOf, writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { usedBytes } from '../fixtures/disk/used-bytes.js';
import { ada, day, at } from '../../../testing/test/fixtures/known-values.js';

describe('Repairing a store', () => {
  const directory = useKnownDirectory();
  const { fill, content, loseCurrent } = directory;

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

  describe('with many names that were written together', () => {
    const NAMES = 59;
    /** Of a change in the log, after the names. */
    const CHANGE_BYTES = 26;
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
      const path = await fileOf(directory.path, /\.log$/);
      await truncate(path, (await usedBytes(path)) - bytes);
      return basename(path);
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

    it('loses one row, and reports that, if one bit of a table is wrong', async () => {
      await (await openStores(directory.path))[Symbol.asyncDispose]();
      const table = await fileOf(directory.path, /\.ldb$/);
      const bytes = await readFile(table);
      const at = bytes.lastIndexOf('"Bob"');
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
      await writeFile(table, bytes);
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
});
