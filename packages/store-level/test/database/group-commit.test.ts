import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { toDay, toTimestamp } from '@tallybook/domain';
import { dayKey, entryKey } from '../../src/rows/keys.js';
import type { Rows } from '../../src/rows/rows.js';
import { auditHeadKey } from '../../src/rows/service/service-keys.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { writeRows } from '../fixtures/raw-rows.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { useEach } from '../../../testing/test/fixtures/use-each.js';
import { ada, bob, day, tag } from '../../../testing/test/fixtures/known-values.js';

const at = toTimestamp(1_763_500_000);

describe('Group commit', () => {
  // Before the directory, so that the stores close before it is removed.
  afterEach(() => stores[Symbol.asyncDispose]());
  const directory = useTempDirectory();
  const probe = useLevelProbe();
  const stores = useEach(() => openStores(directory.path));

  it('writes simultaneous scans in one batch', async () => {
    probe.current.forget();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) => stores.days.record(day, tag(n), at)),
    );
    expect(outcomes).to.deep.equal(Array(200).fill('counted'));
    expect(probe.current.batches).to.have.lengthOf(1);
  });

  /**
   * Number of batches for a write, one that waits for it, and one that comes a number of turns of the event loop
   * after it.
   */
  async function countBatches(turns: number): Promise<number> {
    probe.current.forget();
    let waiting: Promise<unknown> = Promise.resolve();
    probe.current.onBatch = (run) => {
      probe.current.onBatch = (runNext) => runNext();
      waiting = stores.days.record(day, bob, at);
      return run();
    };
    await stores.days.record(day, ada, at);
    for (let promises = 50; promises > 0; promises--) await Promise.resolve();
    for (let turn = 0; turn < turns; turn++) await endOfTurn();
    await Promise.all([stores.days.record(day, tag(1), at), waiting]);
    return probe.current.batches.length;
  }

  for (const turns of [0, 1, 2]) {
    it(`lets a write ${turns} turns after a batch join those that waited for the batch`, async () => {
      expect(await countBatches(turns)).to.equal(2);
    });
  }

  it('delays a write that waits for a batch by at most three turns after it', async () => {
    expect(await countBatches(3)).to.equal(3);
  });

  it('does not delay a write for others if none waited for the batch before', async () => {
    probe.current.forget();
    await stores.days.record(day, ada, at);
    const second = stores.days.record(day, bob, at);
    await endOfTurn();
    await Promise.all([second, stores.days.record(day, tag(1), at)]);
    expect(probe.current.batches).to.have.lengthOf(3);
  });

  it('makes the writes that wait for a batch the next batch, those of both stores', async () => {
    probe.current.forget();
    let later: Promise<unknown> = Promise.resolve();
    probe.current.onBatch = (run) => {
      probe.current.onBatch = (runNext) => runNext();
      later = Promise.all([
        stores.days.record(day, bob, at),
        stores.names.put(bob, { first: 'Bob', last: '' }),
        stores.days.record(toDay(day + 1), bob, at),
      ]);
      return run();
    };
    await stores.days.record(day, ada, at);
    await later;
    expect(probe.current.batches).to.have.lengthOf(2);
  });

  it('syncs every batch', async () => {
    probe.current.forget();
    await stores.days.record(day, ada, at);
    await stores.days.merge(day, [{ id: bob, first: at, last: at, count: 1 }]);
    await stores.days.remove(day);
    await stores.names.put(ada, { first: 'Ada', last: '' });
    await stores.names.remove(ada);
    expect(probe.current.batches.map(({ isSynced }) => isSynced)).to.deep.equal(Array(5).fill(true));
  });

  it('gives a write the end of the audit trail as the commit before left it', async () => {
    const write = <T>(decide: (rows: Rows) => T): Promise<T> =>
      stores.database.inner.write({ keys: [auditHeadKey], decide });
    for (const byte of [1, 2]) await write((rows) => rows.put(auditHeadKey, Buffer.of(byte)));
    probe.current.forget();
    expect(await write((rows) => rows.get(auditHeadKey))).to.deep.equal(Buffer.of(2));
    expect(probe.current.lookedUp).to.equal(0);
  });

  it('limits the look-ups of one batch without losing writes', async () => {
    const ids = Array.from({ length: 5_000 }, (_, n) => tag(n));
    await Promise.all(ids.map((id) => stores.days.record(day, id, at)));
    expect((await stores.days.load(day))?.entries.map(({ id }) => id)).to.deep.equal(ids);
    expect(probe.current.batches).to.have.lengthOf.within(3, 6);
  });

  it('removes each day in a separate batch, so that several large ones are not in memory together', async () => {
    const { days } = stores;
    const all = [day, toDay(day + 1), toDay(day + 2)];
    await Promise.all(all.map((each) => days.record(each, ada, at)));
    probe.current.forget();
    await Promise.all([days.record(day, bob, at), ...all.map((each) => days.remove(each))]);
    expect(probe.current.batches).to.have.lengthOf(4);
    expect(await days.list(day, toDay(day + 2))).to.deep.equal([]);
  });

  it('writes nothing for known scans', async () => {
    const entry = { id: bob, first: at, last: toTimestamp(at + 9), count: 3 };
    await stores.days.record(day, ada, at);
    await stores.days.merge(day, [entry]);
    await stores.names.put(ada, { first: 'Ada', last: '' });
    probe.current.forget();
    await stores.days.record(day, ada, at);
    await stores.days.merge(day, [entry]);
    await stores.days.merge(day, []);
    await stores.days.remove(toDay(day + 1));
    await stores.names.remove(bob);
    expect(probe.current.batches).to.be.empty;
  });

  it('acknowledges a known scan only when it is durable', async () => {
    const events: string[] = [];
    probe.current.onBatch = async (run) => {
      await run();
      events.push('durable');
    };
    await Promise.all([
      stores.days.record(day, ada, at).then((outcome) => events.push(outcome)),
      stores.days.record(day, ada, at).then((outcome) => events.push(outcome)),
    ]);
    expect(events).to.deep.equal(['durable', 'counted', 'already-counted']);
  });

  it('refuses a whole merge if one of its rows is damaged, and continues with the other writes', async () => {
    await stores[Symbol.asyncDispose]();
    await writeRows(directory.path, {
      [dayKey(day).toString('hex')]: '01',
      [entryKey(day, bob).toString('hex')]: 'ff',
    });
    await using again = await openStores(directory.path);
    const entry = { first: at, last: at, count: 1 };
    const [merged, recorded] = await Promise.allSettled([
      again.days.merge(day, [
        { id: ada, ...entry },
        { id: bob, ...entry },
      ]),
      again.days.record(toDay(day + 1), ada, at),
    ]);
    expect(merged).to.have.nested.property('reason.code', 'STORE_CORRUPT');
    expect(recorded).to.have.property('value', 'counted');
    expect(await again.days.record(day, ada, at)).to.equal('counted');
  });
});
