import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { DAY_MAX, parseTallyId, toDay, type Day, type DayStore } from '@tallybook/domain';

import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';
import { ada, day, at, tag } from '../../../testing/test/fixtures/known-values.js';

describe('The cost', () => {
  // Before the directory, so that the stores close before it is removed.
  afterEach(() => stores[Symbol.asyncDispose]());
  const directory = useTempDirectory();
  const probe = useLevelProbe();
  // The journal has the delay of a scan until its write: in the year of these scans, that is short.
  const stores = useEach(() => openStores(directory.path, { clock: new ManualClock(at(7_200)) }));

  async function fill(days: DayStore, each: Day, entries: number): Promise<void> {
    await days.merge(
      each,
      Array.from({ length: entries }, (_, n) => ({ id: tag(n), first: at(0), last: at(0), count: 1 })),
    );
  }

  async function costOf(
    work: () => Promise<unknown>,
  ): Promise<{ lookedUp: number; yielded: number; written: number }> {
    probe.current.forget();
    await work();
    const { lookedUp, yielded, written } = probe.current;
    return { lookedUp, yielded, written };
  }

  it('of recording is the same on a day with 10,000 entries as on one with none, and after 1,000 days', async () => {
    const { days } = stores;
    const first = { lookedUp: 3, yielded: 0, written: 4 };
    const further = { lookedUp: 3, yielded: 0, written: 3 };
    expect(await costOf(() => days.record(day, ada, at(0)))).to.deep.equal(first);
    expect(await costOf(() => days.record(day, ada, at(1)))).to.deep.equal(further);
    await fill(days, toDay(day + 1), 10_000);
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => fill(days, toDay(day + 2 + n), 1)));
    expect(await costOf(() => days.record(toDay(day + 1), ada, at(0)))).to.deep.equal(first);
    expect(await costOf(() => days.record(toDay(day + 1), ada, at(1)))).to.deep.equal(further);
  });

  it('of a scan between the first and the last one is one row more', async () => {
    const { days } = stores;
    await days.record(day, ada, at(0));
    await days.record(day, ada, at(9));
    expect((await costOf(() => days.record(day, ada, at(5)))).written).to.equal(4);
  });

  it('of recording stays below 100 bytes, keys included', async () => {
    const longest = parseTallyId('FE'.repeat(10));
    for (const second of [0, 3_600, 7_200]) await stores.days.record(day, longest, at(second));
    for (const { operations } of probe.current.batches) {
      const bytes = operations.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
      expect(bytes).to.be.below(100);
    }
  });

  it('of listing does not grow with the entries of the days', async () => {
    const { days } = stores;
    await fill(days, day, 1_000);
    await days.record(toDay(day + 1), ada, at(0));
    probe.current.forget();
    expect(await days.list(toDay(0), DAY_MAX)).to.deep.equal([day, day + 1]);
    expect(probe.current.yielded).to.equal(2);
  });

  it('of reading or changing a name does not grow with the mapping', async () => {
    const { names } = stores;
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => names.put(tag(n), { first: String(n), last: '' })),
    );
    expect(await costOf(() => names.get(tag(7)))).to.deep.equal({ lookedUp: 1, yielded: 0, written: 0 });
    expect(await costOf(() => names.put(ada, { first: 'Ada', last: '' }))).to.deep.equal({
      lookedUp: 2,
      yielded: 0,
      written: 4,
    });
    expect(await costOf(() => names.remove(ada))).to.deep.equal({ lookedUp: 2, yielded: 0, written: 4 });
  });
});
