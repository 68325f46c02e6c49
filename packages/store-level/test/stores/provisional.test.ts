import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  parseTallyId,
  toDay,
  toTimestamp,
  type Filing,
  type ProvisionalScan,
  type ProvisionalStore,
  type Lifecycle,
} from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import { momentKey, provisionalKey } from '../../src/rows/keys.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { deleteRawRows, hexOf, readRawRows, writeRawRows, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openFacet, openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

type NewScan = Omit<ProvisionalScan, 'sequence'>;

const ada: NewScan = {
  id: parseTallyId('04A2B3C4D5'),
  reader: 'door',
  bootId: '5a2ce5b8-3f1c-4d5e-9b0a-0c1d2e3f4a5b',
  monotonicMs: 12_345.5,
  shown: toTimestamp(86_400),
  notBefore: toTimestamp(1_763_500_000),
};
const bob: NewScan = { ...ada, id: parseTallyId('0006547886') };
const filing: Filing = { day: toDay(20_411), at: toTimestamp(1_763_500_100), isRecorded: false };

const momentOfAda = momentKey(ada).toString('hex');
const keyOf = (sequence: number): string => provisionalKey(sequence).toString('hex');

describe('LevelProvisionalStore', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  const open = () => openFacet(directory.path, 'provisional');

  /** The content of a store after a change of its rows while it was closed. */
  async function afterDamage(
    before: (store: ProvisionalStore & Lifecycle) => Promise<unknown>,
    damage: () => Promise<void>,
  ): Promise<ProvisionalStore & Lifecycle> {
    const store = await open();
    await before(store);
    await store.close();
    await damage();
    return open();
  }

  it('keeps a scan in a row by its sequence and one by its moment, and the latest sequence in one row', async () => {
    const store = await open();
    await store.settle(await store.add(ada), filing);
    await store.close();
    const rows = await readRawRows(directory.path);
    const own = [...rows].filter(([key]) => /^0[567]/.test(key));
    const json =
      '{"id":"04A2B3C4D5","reader":"door","bootId":"5a2ce5b8-3f1c-4d5e-9b0a-0c1d2e3f4a5b","monotonicMs":12345.5,' +
      '"shown":86400,"notBefore":1763500000,"filing":{"day":20411,"at":1763500100,"isRecorded":false}}';
    expect(own.map(([key, sealed]) => [key, sealed.slice(0, -8)])).to.deep.equal([
      ['050000000000000001', hexOf(json)],
      [`0640c81cc0000000000504a2b3c4d5${hexOf(ada.bootId)}`, '01'],
      ['07', '01'],
    ]);
  });

  it('leaves only the latest sequence of a removed scan', async () => {
    const store = await open();
    const sequences = [await store.add(ada), await store.add(bob)];
    await store.settle(sequences[0] ?? 0, filing);
    for (const sequence of sequences) await store.remove(sequence);
    await store.close();
    const rows = await readRawRows(directory.path);
    expect([...rows.keys()].filter((key) => /^0[567]/.test(key))).to.deep.equal(['07']);
  });

  it('reads and writes as much for a scan among 1,000 as for the only one', async () => {
    await using store = await open();
    const costs = async (scan: NewScan): Promise<number[][]> => {
      const costOf = async (work: () => Promise<unknown>): Promise<number[]> => {
        probe.current.forget();
        await work();
        const { lookedUp, yielded, written, batches } = probe.current;
        return [lookedUp, yielded, written, batches.length];
      };
      let sequence = 0;
      const added = await costOf(async () => (sequence = await store.add(scan)));
      const again = await costOf(() => store.add(scan));
      const settled = await costOf(() => store.settle(sequence, filing));
      return [added, again, settled, await costOf(() => store.remove(sequence))];
    };
    const alone = await costs(ada);
    expect(alone[1]).to.deep.equal([3, 0, 0, 0]);
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => store.add({ ...bob, monotonicMs: n })));
    expect(await costs(ada)).to.deep.equal(alone);
  });

  it('writes less than 512 bytes for a scan', async () => {
    await using store = await open();
    probe.current.forget();
    await store.add({ ...ada, id: parseTallyId('FE'.repeat(10)), monotonicMs: 4_294_967_296.000_001 });
    const bytes = probe.current.batches
      .flatMap(({ operations }) => operations)
      .reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0);
    expect(bytes).to.be.below(512);
  });

  for (const when of ['before', 'after'] as const) {
    it(`keeps a scan once if it is added again after its write failed ${when} it reached the disk`, async () => {
      await using store = await open();
      probe.current.failOnce(new Error('no space'), when);
      await rejection(store.add(ada), 'STORE_WRITE_FAILED');
      const sequence = await store.add(ada);
      expect(await store.list()).to.deep.equal([{ ...ada, sequence }]);
    });
  }

  it('keeps a scan that is added again while it is being removed', async () => {
    await using store = await open();
    const gone = await store.add(ada);
    // This looks up the scan that the row of the moment names.
    probe.current.onLookUp = async (run) => {
      probe.current.onLookUp = (runNext) => runNext();
      await store.remove(gone);
      return run();
    };
    const sequence = await store.add(ada);
    expect(sequence).to.be.above(gone);
    expect(await store.list()).to.deep.equal([{ ...ada, sequence }]);
  });

  it('recognises a scan that was added while an equal one was removed twice', async () => {
    await using store = await open();
    const gone = await store.add(ada);
    let sequence = 0;
    probe.current.onLookUp = async (run) => {
      probe.current.onLookUp = (runNext) => runNext();
      const found = await run();
      await store.remove(gone);
      sequence = await store.add(ada);
      return found;
    };
    await store.remove(gone);
    expect(await store.add(ada)).to.equal(sequence);
    expect(await store.list()).to.deep.equal([{ ...ada, sequence }]);
  });

  it('adds a scan again when only the row of its moment is left', async () => {
    await using store = await afterDamage(
      async (damaged) => {
        await damaged.add(ada);
        await damaged.add(bob);
      },
      () => deleteRawRows(directory.path, [keyOf(1)]),
    );
    expect(await store.add(ada)).to.equal(3);
    expect(await store.add(ada)).to.equal(3);
    expect(await store.list()).to.deep.equal([
      { ...bob, sequence: 2 },
      { ...ada, sequence: 3 },
    ]);
  });

  it('removes a scan when the row of its moment is lost', async () => {
    await using store = await afterDamage(
      (damaged) => damaged.add(ada),
      () => deleteRawRows(directory.path, [momentOfAda]),
    );
    await store.remove(1);
    expect(await store.list()).to.deep.equal([]);
  });

  it('replaces no scan when the row of the latest sequence is lost', async () => {
    await using store = await afterDamage(
      async (damaged) => {
        await damaged.add(ada);
        await damaged.remove(1);
        await damaged.add(ada);
        await damaged.add(bob);
      },
      () => deleteRawRows(directory.path, ['07']),
    );
    const carl = { ...ada, id: parseTallyId('010203') };
    expect(await store.add(carl)).to.equal(4);
    expect(await store.list()).to.deep.equal([
      { ...ada, sequence: 2 },
      { ...bob, sequence: 3 },
      { ...carl, sequence: 4 },
    ]);
  });

  it('is STORE_CORRUPT naming the key when a row is damaged, and goes on adding', async () => {
    await using store = await afterDamage(
      (damaged) => damaged.add(ada),
      async () => {
        const sealed = (await readRawRows(directory.path)).get(keyOf(1)) ?? '';
        await writeRawRows(directory.path, { [keyOf(1)]: sealed.replace(hexOf('door'), hexOf('moor')) });
      },
    );
    const operations = [() => store.settle(1, filing), () => store.remove(1), () => store.add(ada)];
    for (const operation of operations) {
      expect((await rejection(operation(), 'STORE_CORRUPT')).details).to.include({ key: keyOf(1) });
    }
    expect(await store.add(bob)).to.equal(2);
  });

  it('is STORE_CORRUPT when the row of a moment or of the latest sequence is damaged', async () => {
    await using store = await afterDamage(
      (damaged) => damaged.add(ada),
      () => writeRows(directory.path, { [momentOfAda]: '0101', '07': '' }),
    );
    expect((await rejection(store.add(ada), 'STORE_CORRUPT')).details).to.include({ key: momentOfAda });
    expect((await rejection(store.add(bob), 'STORE_CORRUPT')).details).to.include({ key: '07' });
    expect(await store.list()).to.deep.equal([{ ...ada, sequence: 1 }]);
  });

  it('lists the other scans when one is damaged, and marks the store', async () => {
    await using store = await afterDamage(
      (damaged) => damaged.add(ada),
      () => writeRows(directory.path, { [keyOf(2)]: hexOf('{') }),
    );
    expect(await store.list()).to.deep.equal([{ ...ada, sequence: 1 }]);
    expect(await readFile(join(directory.path, 'DAMAGED'), 'utf8')).to.include(keyOf(2));
  });

  it('fails in a snapshot for a scan that the list leaves out, because a backup must be complete', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    await writeRows(directory.path, { [keyOf(1)]: hexOf('{') });
    await using stores = await openStores(directory.path);
    await using snapshot = await stores.snapshots.take();
    const error = await rejection(snapshot.provisional()[Symbol.asyncIterator]().next(), 'STORE_CORRUPT');
    expect(error.message).to.include('tallybook repair');
    expect(await stores.provisional.list()).to.deep.equal([]);
  });

  it('does not open when the key of the last scan is damaged, and leaves the directory to others', async () => {
    const stores = await openStores(directory.path);
    await stores[Symbol.asyncDispose]();
    await writeRows(directory.path, { '05ff': hexOf('{}') });
    await rejection(open(), 'STORE_CORRUPT');
    await deleteRawRows(directory.path, ['05ff']);
    await LevelStorage.repair(directory.path);
    await using store = await open();
    expect(await store.add(ada)).to.equal(1);
  });
});
