import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { expect } from 'chai';
import { DAY_MAX, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { dayKey, entryKey, nameKey } from '../../src/rows/keys.js';
import { fileOf } from '../fixtures/known-directory.js';
import { hexOf, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores, type OpenStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { ada, bob, day } from '../../../testing/test/fixtures/known-values.js';

const at = toTimestamp(1_763_500_000);

describe('A damaged row', () => {
  const directory = useTempDirectory();

  const withRows = async (rows: Readonly<Record<string, string>>): Promise<OpenStores> => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    await writeRows(directory.path, rows);
    return openStores(directory.path);
  };

  for (const [what, value] of Object.entries({
    'is empty': '',
    'ends within a number': '000080',
    'has a number too few': '000000',
    'has a number too many': '0000000100',
    'has no scan': '00000000',
    'has a number that is too large': '00ffffffffffffffff7f0001',
    'has a last scan that is too late': '00ffffffffffffff0fffffffffffffff0f01',
  })) {
    it(`is STORE_CORRUPT naming the key when an entry ${what}`, async () => {
      const key = entryKey(day, ada).toString('hex');
      await using stores = await withRows({ [dayKey(day).toString('hex')]: '01', [key]: value });
      for (const operation of [stores.days.load(day), stores.days.record(day, ada, at)]) {
        expect((await rejection(operation, 'STORE_CORRUPT')).message).to.include(key);
      }
      expect(await stores.days.record(day, bob, at)).to.equal('counted');
    });
  }

  it('is STORE_CORRUPT when a day does not have the number of entries in its row', async () => {
    const entry = entryKey(day, ada).toString('hex');
    await using stores = await withRows({ [dayKey(day).toString('hex')]: '02', [entry]: '00000001' });
    const { details } = await rejection(stores.days.load(day), 'STORE_CORRUPT');
    expect(details).to.include({ day, announced: 2, found: 1 });
  });

  it('is STORE_CORRUPT when the number of entries of a day does not decode', async () => {
    const key = dayKey(day).toString('hex');
    await using stores = await withRows({ [key]: 'ffff' });
    const error = await rejection(stores.days.record(day, ada, at), 'STORE_CORRUPT');
    expect(error.message).to.include(key);
    expect(await stores.days.record(toDay(day + 1), ada, at)).to.equal('counted');
  });

  it('is STORE_CORRUPT when the id or the day of a key does not decode', async () => {
    await using stores = await withRows({
      '0200004fbb': '01',
      '0300004fbb0102': '00000001',
      '020000000001': '01',
      '01ff': hexOf('{}'),
    });
    expect((await rejection(stores.days.load(day), 'STORE_CORRUPT')).message).to.include('0300004fbb0102');
    expect((await rejection(stores.days.list(toDay(0), DAY_MAX), 'STORE_CORRUPT')).message).to.include(
      '020000000001',
    );
    expect((await rejection(stores.names.read(), 'STORE_CORRUPT')).message).to.include('01ff');
  });

  for (const [what, value] of Object.entries({
    'is no JSON': hexOf('{"first":"Ada","last":"Lovelace'),
    'is no name': hexOf('{"first":"Ada Lovelace","last":7}'),
    'is no UTF-8': `${hexOf('{"first":"Ada')}ff${hexOf('","last":"Lovelace"}')}`,
  })) {
    it(`is STORE_CORRUPT without showing the name when a name ${what}`, async () => {
      const key = nameKey(ada).toString('hex');
      await using stores = await withRows({ [key]: value });
      for (const operation of [stores.names.get(ada), stores.names.read()]) {
        const error = await rejection(operation, 'STORE_CORRUPT');
        expect(error.message).to.include(key);
        expect(JSON.stringify([error.message, error.details, String(error.cause), error.stack])).not.to.match(
          /Ada|Lovelace/,
        );
      }
      expect(await stores.names.put(ada, { first: 'Ada', last: '' })).to.equal('replaced');
      expect(await stores.names.get(ada)).to.deep.equal({ first: 'Ada', last: '' });
    });

    it(`is replaced among many names when a name ${what}`, async () => {
      await using stores = await withRows({ [nameKey(ada).toString('hex')]: value });
      const name = { first: 'Ada', last: '' };
      const before = await stores.names.change(new Map([ada, bob].map((id) => [id, name])));
      expect([...before]).to.deep.equal([]);
      expect([...(await stores.names.read()).values()]).to.deep.equal([name, name]);
    });
  }
});

describe('A table with a damaged block', () => {
  const directory = useTempDirectory();
  const ids = Array.from({ length: 2_000 }, (_, n) => parseTallyId(n.toString(16).padStart(8, '0')));
  const name = { first: 'Ada', last: 'Lovelace' };

  beforeEach(async () => {
    const stores = await openStores(directory.path);
    await Promise.all(ids.map((id) => stores.names.put(id, { first: randomUUID(), last: '' })));
    await stores[Symbol.asyncDispose]();
    // At the next opening, LevelDB moves its log to a table.
    await (await openStores(directory.path))[Symbol.asyncDispose]();
  });

  async function damageTable(): Promise<void> {
    const file = await open(await fileOf(directory.path, /\.ldb$/), 'r+');
    const { size } = await file.stat();
    // The names are in the last half: the changes of the journal come before them.
    await file.write(Buffer.alloc(64, 0x55), 0, 64, Math.floor((size * 3) / 4));
    await file.close();
  }

  it('keeps the store from being opened, and is named', async () => {
    await damageTable();
    const { message } = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(message).to.match(/\d+\.ldb: its block at \d+ is damaged/);
  });

  it('is STORE_CORRUPT only for reads that need the block, if the damage happens while the store is open', async () => {
    await using stores = await openStores(directory.path);
    await damageTable();
    await rejection(stores.names.read(), 'STORE_CORRUPT');
    expect(await stores.days.record(day, ada, at)).to.equal('counted');
    const results = await Promise.allSettled(ids.map((id) => stores.names.put(id, name)));
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed).to.have.lengthOf.within(1, ids.length / 10);
    for (const { reason } of failed) expect(reason).to.have.property('code', 'STORE_CORRUPT');
    expect(await stores.names.get(ids[0] ?? ada)).to.deep.equal(name);
    expect(await stores.names.get(ids.at(-1) ?? ada)).to.deep.equal(name);
  });
});
