import { toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, bob, day } from '../../../testing/test/fixtures/known-values.js';

const at = toTimestamp(1_763_500_000);
const until = toTimestamp(at + 9);
const request = { ids: [ada], until, expiresAt: toTimestamp(at + 99) };

describe('A scan that waits for the removal of its day', () => {
  const directory = useTempDirectory();

  for (const way of ['erase', 'add'] as const) {
    it(`is gone if its person was erased after the tap, by ${way}`, async () => {
      await using stores = await openStores(directory.path);
      const { database, days, erasures } = stores;
      await erasures.erase(request);
      const taken = await erasures.list();
      await erasures.expire(request.expiresAt);
      await days.record(day, bob, at);
      // The removal searches the journal until the erasure waits, or has ended.
      const read = database.inner.read.bind(database.inner);
      const ended = database.inner.lateWritesEnded.bind(database.inner);
      let [letGo, noteWaiting] = [(): void => undefined, (): void => undefined];
      const held = new Promise<void>((resolve) => (letGo = resolve));
      const waits = new Promise<void>((resolve) => (noteWaiting = resolve));
      database.inner.read = (work) => {
        database.inner.read = read;
        return held.then(() => read(work));
      };
      database.inner.lateWritesEnded = () => {
        noteWaiting();
        return ended();
      };
      const removing = days.remove(day);
      const recording = days.record(day, ada, at);
      const erasing = way === 'erase' ? erasures.erase(request) : erasures.add(taken, until);
      await Promise.race([erasing, waits]);
      letGo();
      await Promise.all([removing, recording, erasing]);
      expect(await days.load(day)).to.equal(undefined);
      expect(await days.scans(day, ada)).to.deep.equal([]);
    });
  }
});
