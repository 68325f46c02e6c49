import { expect } from 'chai';
import { parseTallyId } from '@tallybook/domain';
import { NO_STAMP } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import { LevelStorage } from '@tallybook/store-level';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const ada = parseTallyId('04A2B3C4D5');
const name = { first: 'Ada', last: 'Lovelace' };
const stampOfAda = '000504a2b3c4d5';

/** A clock with a time that a test sets. */
class Stamps implements StampSource {
  ms: number | undefined = 1_763_500_000_000;

  now(): number | undefined {
    return this.ms;
  }
}

describe('Stamps of names in LevelDB', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  async function open(stamps?: StampSource) {
    const storage = new LevelStorage(directory.path, { stamps });
    await storage.open();
    const { mapping: names, stampedNames: stamped, journal } = storage;
    return {
      names,
      stamped,
      node: await journal.origin(),
      [Symbol.asyncDispose]: () => storage.close(),
    };
  }

  it('are written in the batch of the name, and stay when it is removed', async () => {
    const stamps = new Stamps();
    await using stores = await open(stamps);
    probe.current.forget();
    await stores.names.put(ada, name);
    await stores.names.remove(ada);
    await stores.names.change(new Map([[ada, name]]));
    for (const { operations } of probe.current.batches) {
      const keys = operations.map(({ key }) => key.toString('hex'));
      expect(keys).to.include.members([stampOfAda, '0104a2b3c4d5']);
    }
    await stores.names.remove(ada);
    expect(await stores.stamped.page(undefined, 9)).to.deep.equal([
      { id: ada, name: undefined, stamp: { ms: stamps.ms, counter: 3, node: stores.node } },
    ]);
  });

  it('count as missing if they are damaged, so that every other stamp is later, and the damage is marked', async () => {
    {
      await using stores = await open(new Stamps());
      await stores.names.put(ada, name);
    }
    await writeRawRows(directory.path, { [stampOfAda]: 'ffffffffff' });
    {
      await using stores = await open();
      expect(await stores.stamped.get([ada])).to.deep.equal([{ id: ada, name, stamp: NO_STAMP }]);
      const other = { id: ada, name: undefined, stamp: { ms: 1, counter: 0, node: 'a' } };
      expect(await stores.stamped.merge([other])).to.deep.equal([]);
      expect(await stores.stamped.page(undefined, 9)).to.deep.equal([other]);
    }
    await rejection(open(), 'STORE_CORRUPT');
  });

  it('are read in pages with present and removed names together, in all proportions', async () => {
    await using stores = await open(new Stamps());
    const ids = Array.from({ length: 40 }, (_, n) => parseTallyId(`0102${n.toString(16).padStart(4, '0')}`));
    for (const [n, id] of ids.entries()) {
      await stores.names.put(id, { first: String(n), last: '' });
      if (n % 3 !== 0) await stores.names.remove(id);
    }
    const found: string[] = [];
    for (let page = await stores.stamped.page(undefined, 7); page.length > 0;) {
      found.push(...page.map(({ id }) => id));
      page = await stores.stamped.page(page.at(-1)?.id, 7);
    }
    expect(found).to.deep.equal(ids);
  });
});
