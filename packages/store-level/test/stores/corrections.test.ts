import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DAY_MAX, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import type { NewCorrection } from '@tallybook/domain/record';
import { LevelStorage } from '@tallybook/store-level';
import { readRawRows, deleteRawRows, hexOf, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { correctionKey, latestNumberKey } from '../../src/rows/correction-rows.js';
import { ada, day, at } from '../../../testing/test/fixtures/known-values.js';

const otherDay = toDay(20_412);
const hex = (key: Buffer): string => key.toString('hex');
const all = [toDay(0), DAY_MAX] as const;

const made = (second: number, more: Partial<NewCorrection> = {}): NewCorrection => ({
  ...{ action: 'add', day, id: ada, at: at(second), reason: 'Forgot', author: 'desk', madeAt: at(100) },
  ...{ state: 'pending', ...more },
});

describe('Corrections in LevelDB', () => {
  const directory = useTempDirectory();

  async function fill(): Promise<void> {
    await using stores = await openStores(directory.path);
    await stores.days.record(day, ada, at(0), { reader: 'door' });
    await stores.corrections.correct([made(1), made(2, { day: otherDay }), made(3)]);
    await stores.corrections.decide(3, { state: 'approved', by: 'boss', at: at(200) });
  }

  it('are all there after a repair, and the numbers continue', async () => {
    await fill();
    await rm(join(directory.path, 'CURRENT'));
    const { saved } = await LevelStorage.repair(directory.path);
    expect(saved.corrections).to.equal(3);
    await using stores = await openStores(directory.path);
    const found = await stores.corrections.list(...all);
    expect(found.map(({ number, state }) => [number, state])).to.deep.equal([
      [1, 'pending'],
      [3, 'approved'],
      [2, 'pending'],
    ]);
    expect((await stores.corrections.correct([made(4)])).map(({ number }) => number)).to.deep.equal([4]);
  });

  it('are made and decided once if the same one comes several times at once', async () => {
    await using stores = await openStores(directory.path);
    const approved = made(1, { state: 'approved', decision: { by: 'boss', at: at(200) } });
    const rejected = made(1, { state: 'rejected', decision: { by: 'other', at: at(201) } });
    const came = await stores.corrections.correct([made(1), made(1), made(2), approved, rejected, made(1)]);
    expect(came.map(({ number, state }) => [number, state])).to.deep.equal([
      [1, 'pending'],
      [1, 'pending'],
      [2, 'pending'],
      [1, 'approved'],
      [1, 'approved'],
      [1, 'approved'],
    ]);
    expect((await stores.corrections.list(...all)).map(({ state }) => state)).to.deep.equal([
      'approved',
      'pending',
    ]);
  });

  it('are numbered after the highest one if the row of the latest number is lost or damaged', async () => {
    await fill();
    await deleteRawRows(directory.path, [hex(latestNumberKey)]);
    {
      await using stores = await openStores(directory.path);
      expect((await stores.corrections.correct([made(4)])).map(({ number }) => number)).to.deep.equal([4]);
    }
    await writeRows(directory.path, { [hex(latestNumberKey)]: 'ff' });
    await using stores = await openStores(directory.path, { repairsDamage: true });
    expect((await stores.corrections.correct([made(5)])).map(({ number }) => number)).to.deep.equal([5]);
  });

  it('are reported with their key if they are damaged, and the others are there after a repair', async () => {
    await fill();
    const key = hex(correctionKey({ day, number: 1 }));
    await writeRows(directory.path, { [key]: hexOf('{"action":"edit"}') });
    {
      await using stores = await openStores(directory.path);
      const { details } = await rejection(stores.corrections.list(...all), 'STORE_CORRUPT');
      expect(details).to.deep.equal({ key });
      expect(await stores.corrections.list(otherDay, otherDay)).to.have.length(1);
    }
    expect((await LevelStorage.repair(directory.path)).damagedRows).to.equal(1);
    await using stores = await openStores(directory.path);
    expect((await stores.corrections.list(...all)).map(({ number }) => number)).to.deep.equal([3, 2]);
  });

  it('leave nothing in the store or the journal when their day is removed', async () => {
    await fill();
    {
      await using stores = await openStores(directory.path);
      expect(await stores.corrections.remove(day)).to.equal(true);
      const page = await stores.journal.read(0, 100);
      expect(page.isKnown && page.entries.map(({ change }) => change.kind)).to.deep.equal([
        'scan',
        'correction',
        'day',
      ]);
    }
    const keys = [...(await readRawRows(directory.path)).keys()].filter((key) => key.startsWith('0c'));
    expect(keys).to.deep.equal([hex(latestNumberKey), hex(correctionKey({ day: otherDay, number: 2 }))]);
  });

  it('are read by day: those of a day are one range of keys', () => {
    const keys = [
      correctionKey({ day, number: 2 ** 40 }),
      correctionKey({ day: otherDay, number: 1 }),
      correctionKey({ day, number: 1 }),
    ].map(hex);
    expect([...keys].sort()).to.deep.equal([keys[2], keys[0], keys[1]]);
  });
});

describe('The scans of a tag', () => {
  const directory = useTempDirectory();

  it('do not include those of another tag whose id has the same beginning', async () => {
    await using stores = await openStores(directory.path);
    const ids = ['04A2B3', '04A2B3C4', '04A2B3C4D5'].map(parseTallyId);
    for (const [index, id] of ids.entries()) {
      for (const second of [0, 10 + index, 20]) await stores.days.record(day, id, at(second));
    }
    for (const [index, id] of ids.entries()) {
      expect(await stores.days.scans(day, id)).to.deep.equal([at(0), at(10 + index), at(20)]);
    }
  });

  it('may be in the last possible second', async () => {
    await using stores = await openStores(directory.path);
    const last = toTimestamp(Number.MAX_SAFE_INTEGER);
    for (const second of [0, last - 1, last]) await stores.days.record(DAY_MAX, ada, toTimestamp(second));
    expect(await stores.days.scans(DAY_MAX, ada)).to.deep.equal([0, last - 1, last]);
  });
});
