import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { dayKey } from '../../src/rows/keys.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const ada = parseTallyId('04A2B3C4D5');
const day = (n: number): ReturnType<typeof toDay> => toDay(n);
const at = (n: number): ReturnType<typeof toTimestamp> => toTimestamp(n);

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected = [];
  for await (const value of values) collected.push(value);
  return collected;
}

describe('A snapshot of LevelDB', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  it('leaves out a day that has no entries', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    await writeRows(directory.path, { [dayKey(day(300)).toString('hex')]: '00' });
    await using stores = await openStores(directory.path);
    await using snapshot = await stores.snapshots.take();
    expect(await collect(snapshot.days())).to.deep.equal([]);
  });

  it('never holds only one of two items that are written together', async () => {
    await using stores = await openStores(directory.path);
    const end = new AbortController();
    const write = async (): Promise<void> => {
      for (let n = 1; !end.signal.aborted && n <= 300; n++) {
        const first = String(n);
        await Promise.all([
          stores.names.put(ada, { first, last: '' }),
          stores.days.record(day(n), ada, at(n)),
        ]);
      }
    };
    const writing = write();
    for (let seen = 0; seen < 30;) {
      await using snapshot = await stores.snapshots.take();
      const [association] = await collect(snapshot.names());
      const days = await collect(snapshot.days());
      expect(days).to.have.length(Number(association?.[1].first ?? 0));
      if (association !== undefined) seen++;
    }
    end.abort();
    await writing;
  });

  it('fails after LevelDB was opened anew, and the next one works', async () => {
    await using stores = await openStores(directory.path);
    for (const n of [1, 2, 3]) await stores.days.record(day(n), ada, at(n));
    await using snapshot = await stores.snapshots.take();
    const days = snapshot.days()[Symbol.asyncIterator]();
    expect((await days.next()).value).to.include({ day: 1 });
    probe.current.failOnce(new Error('the disk is full'));
    await rejection(stores.days.record(day(4), ada, at(4)), 'STORE_WRITE_FAILED');
    expect((await days.next()).value, 'until then the old one is read').to.include({ day: 2 });
    await stores.days.record(day(4), ada, at(4));
    await rejection(days.next() as Promise<unknown>, 'STORE_READ_FAILED');
    await rejection(collect(snapshot.names()), 'STORE_READ_FAILED');
    await using another = await stores.snapshots.take();
    expect(await collect(another.days())).to.have.length(4);
  });

  it('does not keep the store from closing, and can be disposed of afterwards', async () => {
    const stores = await openStores(directory.path);
    await stores.days.record(day(1), ada, at(1));
    await stores.days.record(day(2), ada, at(2));
    const snapshot = await stores.snapshots.take();
    const days = snapshot.days()[Symbol.asyncIterator]();
    await days.next();
    const reading = days.next();
    await stores[Symbol.asyncDispose]();
    await reading;
    await rejection(collect(snapshot.names()), 'NOT_OPEN');
    await rejection(stores.snapshots.take(), 'NOT_OPEN');
    await snapshot[Symbol.asyncDispose]();
    await using again = await openStores(directory.path);
    await rejection(collect(snapshot.names()), 'NOT_OPEN');
    expect(await again.days.list(day(0), day(9))).to.deep.equal([1, 2]);
  });

  it('ends its reads when it is disposed of, also twice', async () => {
    await using stores = await openStores(directory.path);
    await stores.days.record(day(1), ada, at(1));
    await stores.days.record(day(2), ada, at(2));
    const snapshot = await stores.snapshots.take();
    const days = snapshot.days()[Symbol.asyncIterator]();
    await days.next();
    await Promise.all([snapshot[Symbol.asyncDispose](), snapshot[Symbol.asyncDispose]()]);
    await rejection(days.next() as Promise<unknown>, 'STORE_READ_FAILED');
    expect(await stores.days.list(day(0), day(9))).to.deep.equal([1, 2]);
  });
});
