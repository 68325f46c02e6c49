import assert from 'node:assert/strict';
import { openAll, toDay, toTimestamp, type TallyId } from '@tallybook/domain';
import type { NewCorrection } from '@tallybook/domain/record';
import type { StampedName } from '@tallybook/domain';
import { newStorage, type Storage } from '../simulation/places/storage.js';
import { openStores } from '../simulation/places/stores.js';
import { Disk } from '../simulation/virtual/disk.js';
import { Life } from '../simulation/virtual/life.js';
import { randomOf } from '../random.js';
import { Scheduler } from '../simulation/virtual/scheduler.js';

const UNTIL = toTimestamp(1_800_000_000);
const day = toDay(20_833);
const id = '04AA0000' as TallyId;
const scheduler = new Scheduler();

async function openServer(name: string, storage: Storage, isShared: boolean) {
  const disk = new Disk({
    ...{ scheduler, life: new Life(), health: { failing: 0 }, random: randomOf(1, name) },
    onWrite: () => undefined,
  });
  const watcher = {
    changed: () => undefined,
    named: () => undefined,
    imported: () => undefined,
    peopled: () => undefined,
    erasing: () => undefined,
  };
  const source = { now: () => UNTIL * 1_000, node: name };
  const stores = openStores(storage, { disk, source, watcher, random: randomOf(1, 'persons'), isShared });
  await openAll(stores.all);
  return stores;
}

/** Writes of a server that did not know of the erasure when it asked. */
async function writeLate(at: number, isShared: boolean): Promise<Storage> {
  const storage = newStorage(randomOf(1, 'record'));
  const [one, other] = [
    await openServer('one', storage, isShared),
    await openServer('other', storage, isShared),
  ];
  const moment = toTimestamp(at);
  const name: StampedName = {
    id,
    name: { first: 'Ada', last: '' },
    stamp: { ms: at * 1_000, counter: 0, node: 'door' },
  };
  const correction: NewCorrection = {
    ...{ action: 'add', day, id, at: moment, reason: 'forgotten', author: 'eve', madeAt: moment },
    state: 'approved',
  };
  const done = Promise.allSettled([
    one.erasures.erase({ ids: [id], until: UNTIL, expiresAt: toTimestamp(UNTIL + 9) }).then(async () => {
      await other.stampedNames.merge([name]);
      await other.days.record(day, id, moment);
      await other.days.merge(day, [{ id, first: moment, last: moment, count: 1 }]);
      await other.corrections.correct([correction]);
    }),
  ]);
  await scheduler.runUntil(scheduler.nowMs + 60_000);
  await done;
  return storage;
}

function countsOf({ names, days, corrections }: Storage): readonly number[] {
  return [names.size, days.get(day)?.size ?? 0, corrections.byNumber.size];
}

describe('a simulated record that servers share', () => {
  it('takes nothing of a tag that another server has erased since somebody asked', async () => {
    assert.deepEqual(countsOf(await writeLate(UNTIL, true)), [0, 0, 0]);
  });

  it('takes what is later than the erasure', async () => {
    assert.deepEqual(countsOf(await writeLate(UNTIL + 1, true)), [1, 1, 1]);
  });

  it('leaves it to who writes to ask where a program has its record for itself', async () => {
    assert.deepEqual(countsOf(await writeLate(UNTIL, false)), [1, 1, 1]);
  });
});
