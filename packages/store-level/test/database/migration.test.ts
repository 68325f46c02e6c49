import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelStorage } from '@tallybook/store-level';
import type { Batch, RawLevel } from '../../src/level/raw-level.js';
import { storageFormat } from '../../src/rows/format-row.js';
import { addRow, toRow } from '../../src/rows/rows.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { deleteRawRows, hexOf, readRawRows, writeRawRows, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const day = toDay(20_411);
const at = toTimestamp(1_763_500_000);
const ids = ['0A0A0A', '0B0B0B', '0C0C0C'].map((id) => parseTallyId(id));
const formatOf = (version: number): string => hexOf(`{"format":"tallybook","version":${version}}`);

/** The first byte of the keys of names, in the made-up versions 1 and 2, and in version 3. */
const prefixes = [0xf1, 0xf2, 0x01];

/** Moves the names of a version to their keys of the next one, a name in each batch. */
async function* moveNames(raw: RawLevel, version: number): AsyncGenerator<Batch> {
  const [from = 0, to = 0] = prefixes.slice(version - 1);
  for (const [key, sealed] of await raw.iterator({ gte: Buffer.of(from), lt: Buffer.of(from + 1) }).all()) {
    const batch = raw.batch();
    addRow(batch, { key: Buffer.concat([Buffer.of(to), key.subarray(1)]), value: toRow(key, sealed).value });
    addRow(batch, { key, value: undefined });
    yield batch;
  }
}

const madeUp = {
  version: 3,
  migrations: [
    { version: 2, batches: (raw: RawLevel) => moveNames(raw, 1) },
    { version: 3, batches: (raw: RawLevel) => moveNames(raw, 2) },
  ],
};

describe('A LevelDB store of an older version', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();
  const present = { ...storageFormat };
  const old = (): string => join(directory.path, 'old');

  beforeEach(async () => {
    Object.assign(storageFormat, madeUp);
    await using stores = await openStores(old());
    for (const id of ids) await stores.names.put(id, { first: id, last: '' });
    await stores.days.record(day, ids[0] ?? expect.fail(), at);
  });

  beforeEach(async () => {
    const names = [...(await readRawRows(old()))].filter(([key]) => key.startsWith('01'));
    await writeRows(
      old(),
      Object.fromEntries(names.map(([key, value]) => [`f1${key.slice(2)}`, value.slice(0, -8)])),
    );
    await deleteRawRows(
      old(),
      names.map(([key]) => key),
    );
    await writeRawRows(old(), { '00': formatOf(1) });
    probe.current.forget();
  });

  afterEach(() => Object.assign(storageFormat, present));

  /** Opens a store, and expects that it has everything. */
  async function expectWhole(path: string): Promise<void> {
    {
      await using stores = await openStores(path);
      expect([...(await stores.names.read()).keys()]).to.deep.equal(ids);
      expect((await stores.days.load(day))?.entries).to.have.lengthOf(1);
      expect(await stores.days.record(day, ids[1] ?? expect.fail(), at)).to.equal('counted');
    }
    const rows = await readRawRows(path);
    expect(rows.get('00')).to.equal(formatOf(3));
    expect([...rows.keys()].filter((key) => key.startsWith('f'))).to.deep.equal([]);
  }

  it('gets each later version at its opening, with synced writes, the version last', async () => {
    await (await openStores(old()))[Symbol.asyncDispose]();
    const { batches } = probe.current;
    expect(batches.every(({ isSynced }) => isSynced)).to.equal(true);
    const written = batches.map(({ operations }) => operations[0]?.key.toString('hex'));
    const steps = ['f2', '01'].map((prefix) => ids.map((id) => prefix + id.toLowerCase()));
    expect(written).to.deep.equal([...(steps[0] ?? []), '00', ...(steps[1] ?? []), '00']);
    await expectWhole(old());
  });

  it('gets only the missing versions', async () => {
    await writeRawRows(old(), { '00': formatOf(2) });
    await (await openStores(old()))[Symbol.asyncDispose]();
    expect(probe.current.batches).to.have.lengthOf(1);
  });

  for (const when of ['before', 'after'] as const) {
    it(`is brought to the present version by the next opening, if it was interrupted ${when} any write`, async () => {
      for (let whole = 0; whole < 8; whole++) {
        const path = join(directory.path, `${when}-${whole}`);
        await cp(old(), path, { recursive: true });
        let writes = 0;
        probe.current.onBatch = async (run) => {
          const isLast = writes++ === whole;
          if (!isLast || when === 'after') await run();
          if (isLast) throw new Error('the power went');
        };
        expect(await openStores(path).catch(() => 'failed')).to.equal('failed');
        expect(writes).to.equal(whole + 1);
        probe.current.onBatch = (run) => run();
        await expectWhole(path);
      }
    });
  }

  it('is not changed by a repair that finds nothing, and keeps its version in one that finds damage', async () => {
    Object.assign(storageFormat, {
      version: 2,
      migrations: madeUp.migrations.slice(0, 1),
    });
    // The rows that are left are the same in both versions.
    await deleteRawRows(
      old(),
      ids.map((id) => `f1${id.toLowerCase()}`),
    );
    expect(await LevelStorage.repair(old())).to.deep.include({ damages: [], keptIn: undefined });
    expect((await readRawRows(old())).get('00')).to.equal(formatOf(1));
    await rename(join(old(), 'CURRENT'), join(old(), 'kept'));
    expect((await LevelStorage.repair(old())).keptIn).to.equal(join(old(), 'damaged-1'));
    expect((await readRawRows(old())).get('00')).to.equal(formatOf(1));
    await using stores = await openStores(old());
    expect((await stores.days.load(day))?.entries).to.have.lengthOf(1);
  });

  it('is refused by a program that does not know it, and stays as it is', async () => {
    Object.assign(storageFormat, { version: 3, migrations: madeUp.migrations.slice(1) });
    const before = await readRawRows(old());
    const error = await rejection(openStores(old()), 'STORE_FORMAT_UNSUPPORTED');
    expect(error.message).to.include('version 1; this program supports storage format versions 2 to 3');
    await rejection(LevelStorage.repair(old()), 'STORE_FORMAT_UNSUPPORTED');
    expect(await readRawRows(old())).to.deep.equal(before);
  });
});
