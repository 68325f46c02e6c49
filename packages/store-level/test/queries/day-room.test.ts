import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { isTallybookError, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { HEAP_OF_TAG } from '../../src/queries/read-day.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const day = toDay(20_411);
const at = toTimestamp(1_763_500_000);

describe('A day', () => {
  const directory = useTempDirectory();
  const own = v8.getHeapStatistics;
  const setHeap = (read: typeof own): void => {
    v8.getHeapStatistics = read;
    syncBuiltinESMExports();
  };
  afterEach(() => setHeap(own));

  it('is refused before it is read if it has more tags than the heap has room for', async () => {
    await using stores = await openStores(directory.path);
    const tags = ['04A2B3C4D5', '0011223344', '010203'].map(parseTallyId);
    for (const id of tags) await stores.days.record(day, id, at);
    setHeap(() => ({ ...own(), heap_size_limit: 3 * HEAP_OF_TAG }));
    expect((await stores.days.load(day))?.entries.map(({ id }) => id)).to.deep.equal(tags);
    // Every tag is recorded all the same.
    await stores.days.record(day, parseTallyId('FFEEDD'), at);
    const error: unknown = await stores.days.load(day).catch((reason: unknown) => reason);
    expect(isTallybookError(error, 'NOT_ENOUGH_MEMORY')).to.equal(true);
    expect(await stores.days.list(day, day)).to.deep.equal([day]);
  });

  it('has all its tags if they fill several pages', async () => {
    await using stores = await openStores(directory.path);
    const entries = Array.from({ length: 2_500 }, (_, n) => {
      return { id: parseTallyId(`04${String(n).padStart(8, '0')}`), first: at, last: at, count: 1 };
    });
    await stores.days.merge(day, entries);
    expect((await stores.days.load(day))?.entries).to.deep.equal(entries);
  });
});
