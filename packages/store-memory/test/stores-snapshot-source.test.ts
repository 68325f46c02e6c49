import { parseTallyId, toDay, toTimestamp, type Snapshot } from '@tallybook/domain';
import { MemoryDayStore, MemoryMappingStore, MemoryProvisionalStore } from '@tallybook/store-memory';
import { expect } from 'chai';
import { StoresSnapshotSource } from '../src/stores-snapshot-source.js';
import { rejectionOf } from '../../domain/test/fixtures/throws.js';

const ada = parseTallyId('04A2B3C4D5');
const scan = {
  ...{ id: ada, reader: 'door', bootId: 'b', monotonicMs: 1 },
  ...{ shown: toTimestamp(1), notBefore: toTimestamp(0) },
};

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected = [];
  for await (const value of values) collected.push(value);
  return collected;
}

async function contentsOf(snapshot: Snapshot): Promise<readonly unknown[][]> {
  const parts = [snapshot.names(), snapshot.days(), snapshot.provisional()];
  return Promise.all(parts.map((part: AsyncIterable<unknown>) => collect(part)));
}

describe('StoresSnapshotSource', () => {
  const stores = {
    mapping: new MemoryMappingStore(),
    days: new MemoryDayStore(),
    provisional: new MemoryProvisionalStore(),
  };
  const source = new StoresSnapshotSource(stores);

  beforeEach(async () => {
    for (const store of Object.values(stores)) await store.open();
  });

  afterEach(async () => {
    for (const store of Object.values(stores)) await store.close();
  });

  it('gives names, days and provisional scans of independent stores', async () => {
    await stores.mapping.put(ada, { first: 'Ada', last: '' });
    await stores.days.record(toDay(2), ada, toTimestamp(172_800));
    await stores.days.record(toDay(1), ada, toTimestamp(86_400));
    await stores.provisional.add(scan);
    await using snapshot = await source.take();
    const entry = { id: ada, first: 86_400, last: 86_400, count: 1 };
    expect(await contentsOf(snapshot)).to.deep.equal([
      [[ada, { first: 'Ada', last: '' }]],
      [
        { day: 1, entries: [entry] },
        { day: 2, entries: [{ ...entry, first: 172_800, last: 172_800 }] },
      ],
      [{ ...scan, sequence: 1 }],
    ]);
  });

  it('leaves out a day that is removed meanwhile', async () => {
    await stores.days.record(toDay(3), ada, toTimestamp(259_200));
    await using snapshot = await source.take();
    await stores.days.remove(toDay(3));
    const days = await collect(snapshot.days());
    expect(days.map(({ day }) => day)).to.not.include(3);
  });

  it('does not lose a scan that is filed meanwhile', async () => {
    const sequence = await stores.provisional.add({ ...scan, bootId: 'meanwhile' });
    await using snapshot = await source.take();
    await stores.provisional.remove(sequence);
    const scans = await collect(snapshot.provisional());
    expect(scans.map(({ bootId }) => bootId)).to.include('meanwhile');
  });

  it('does not lose a scan that is filed while the snapshot is taken', async () => {
    const sequence = await stores.provisional.add({ ...scan, bootId: 'at once' });
    const separate = {
      ...stores,
      provisional: Object.assign(Object.create(stores.provisional) as MemoryProvisionalStore, {
        list: async () => {
          await stores.days.record(toDay(7), ada, toTimestamp(604_800));
          await stores.provisional.remove(sequence);
          return stores.provisional.list();
        },
      }),
    };
    await using snapshot = await new StoresSnapshotSource(separate).take();
    expect((await collect(snapshot.days())).map(({ day }) => day)).to.include(7);
  });

  it('holds no provisional scans without a store for them', async () => {
    await using snapshot = await new StoresSnapshotSource({
      mapping: stores.mapping,
      days: stores.days,
    }).take();
    expect(await collect(snapshot.provisional())).to.deep.equal([]);
  });

  it('loads no day outside of the requested bounds', async () => {
    for (const day of [1, 2, 3, 4]) await stores.days.record(toDay(day), ada, toTimestamp(day * 86_400));
    const loaded: number[] = [];
    const load = stores.days.load.bind(stores.days);
    stores.days.load = (day) => {
      loaded.push(day);
      return load(day);
    };
    await using snapshot = await source.take();
    await collect(snapshot.days(toDay(2), toDay(3)));
    expect(loaded).to.deep.equal([2, 3]);
  });

  it('keeps the names open until it is disposed of, and not at all if it cannot be taken', async () => {
    const mapping = new MemoryMappingStore();
    await mapping.open();
    let open = 0;
    const snapshot = mapping.snapshot.bind(mapping);
    mapping.snapshot = async () => {
      const taken = await snapshot();
      open++;
      return {
        page: (after, limit) => taken.page(after, limit),
        [Symbol.asyncDispose]: async () => {
          open--;
          await taken[Symbol.asyncDispose]();
        },
      };
    };
    const own = new StoresSnapshotSource({ ...stores, mapping });
    const taken = await own.take();
    expect(open).to.equal(1);
    await taken[Symbol.asyncDispose]();
    expect(open).to.equal(0);
    await stores.days.close();
    await rejectionOf('NOT_OPEN', own.take());
    expect(open).to.equal(0);
    await mapping.close();
  });

  it('rejects as its stores do', async () => {
    await using snapshot = await source.take();
    await stores.days.close();
    await rejectionOf('NOT_OPEN', source.take());
    await stores.days.open();
    await stores.days.record(toDay(4), ada, toTimestamp(345_600));
    await using another = await source.take();
    await stores.days.close();
    await rejectionOf('NOT_OPEN', collect(another.days()));
    expect(await collect(snapshot.provisional())).to.be.an('array');
  });
});
