import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Emitter, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelStorage, type LevelStorageOptions, type StoreNotice } from '@tallybook/store-level';
import { Recorder } from '@tallybook/testing';
import { dayKey, nameKey } from '../../src/rows/keys.js';
import { useFileCalls } from '../fixtures/disk/file-calls.js';
import { makeKnownStore, readContent } from '../fixtures/known-store.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { openFiles } from '../fixtures/disk/open-files.js';
import { hexOf, writeRawRows, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { useRests } from '../fixtures/rests.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const ada = parseTallyId('04A2B3C4D5');
const bob = parseTallyId('010203');
/** The check in the background must not come before what a test does. */
const UNCHECKED = { checkAfterMs: 600_000 } as const;

describe('Damage that the opening does not detect', () => {
  const directory = useTempDirectory();
  const calls = useFileCalls();
  const probe = useLevelProbe();
  const rests = useRests();
  const markPath = (): string => join(directory.path, 'DAMAGED');

  function record(over: LevelStorageOptions): {
    readonly notices: Recorder<StoreNotice>;
    readonly options: LevelStorageOptions;
  } {
    const emitter = new Emitter<StoreNotice>();
    return { notices: new Recorder(emitter), options: { ...over, notify: (notice) => emitter.emit(notice) } };
  }

  async function damageName(): Promise<void> {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    await writeRows(directory.path, { [nameKey(ada).toString('hex')]: hexOf('{') });
  }

  it('is reported once when a read finds it, and prevents the next opening', async () => {
    await damageName();
    const { notices, options } = record(UNCHECKED);
    {
      await using stores = await openStores(directory.path, options);
      for (let reads = 0; reads < 3; reads++) await rejection(stores.names.get(ada), 'STORE_CORRUPT');
      expect(await stores.names.put(bob, { first: 'Bob', last: '' })).to.equal('added');
    }
    expect(notices.values).to.have.lengthOf(1);
    expect(notices.values[0]).to.include({ kind: 'damaged', isMarked: true });
    const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    const key = nameKey(ada).toString('hex');
    expect(error.message).to.equal(
      `the store ${directory.path} is damaged: the row with the key ${key} (hex) is damaged; \`tallybook repair --store level:${directory.path}\` saves what can be saved`,
    );
  });

  it('is reported when a write finds it', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    const day = toDay(20_411);
    await writeRows(directory.path, { [dayKey(day).toString('hex')]: 'ffff' });
    const { notices, options } = record(UNCHECKED);
    await using stores = await openStores(directory.path, options);
    const error = await rejection(stores.days.record(day, ada, toTimestamp(1_763_500_000)), 'STORE_CORRUPT');
    expect(error.details).to.include({ path: directory.path });
    expect(notices.values).to.have.lengthOf(1);
    expect(notices.values[0]).to.include({ kind: 'damaged', isMarked: true });
  });

  it('is repaired at the next opening if that is set, after the check has found it', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    await writeRawRows(directory.path, { [nameKey(ada).toString('hex')]: hexOf('{') });
    const first = record({ checkAfterMs: 0, repairsDamage: true });
    {
      await using stores = await openStores(directory.path, first.options);
      expect((await first.notices.count(1))[0]).to.include({ kind: 'damaged', isMarked: true });
      expect(await stores.names.put(bob, { first: 'Bob', last: '' })).to.equal('added');
    }
    const second = record({ ...UNCHECKED, repairsDamage: true });
    await using stores = await openStores(directory.path, second.options);
    expect(second.notices.values.map(({ kind }) => kind)).to.deep.equal(['repairing', 'repaired']);
    expect(second.notices.values[0])
      .to.have.property('reason')
      .that.matches(/^\d+\.ldb: a row is not what was written$/);
    expect(await readdir(directory.path))
      .to.include('damaged-1')
      .and.not.to.include('DAMAGED');
    expect(await readdir(join(directory.path, 'damaged-1'))).to.include('DAMAGED');
    expect([...(await readContent(stores)).keys()]).to.deep.equal([`name ${bob}`]);
  });

  it('is forgotten by a repair that finds nothing', async () => {
    await makeKnownStore(directory.path, 1);
    await writeFile(markPath(), '');
    const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(error.message).to.include('damage was found when it was open last');
    const { damages, keptIn } = await LevelStorage.repair(directory.path);
    expect({ damages, keptIn }).to.deep.equal({ damages: [], keptIn: undefined });
    await (await openStores(directory.path))[Symbol.asyncDispose]();
  });

  it('is reported also if the mark cannot be written, and marked when that is possible again', async () => {
    await damageName();
    const { notices, options } = record(UNCHECKED);
    await using stores = await openStores(directory.path, options);
    // A folder in its place has the effect of a full disk.
    await mkdir(markPath());
    for (let reads = 0; reads < 2; reads++) await rejection(stores.names.get(ada), 'STORE_CORRUPT');
    expect(notices.values).to.have.lengthOf(1);
    expect(notices.values[0]).to.include({ kind: 'damaged', isMarked: false });
    await rm(markPath(), { recursive: true });
    await rejection(stores.names.get(ada), 'STORE_CORRUPT');
    expect(await readFile(markPath(), 'utf8')).to.include(nameKey(ada).toString('hex'));
  });

  it('is not marked if the check cannot read', async () => {
    await makeKnownStore(directory.path, 1);
    const { notices, options } = record({
      checkAfterMs: 0,
      onOpening: () => calls.failReading(join(directory.path, 'CURRENT'), 'EMFILE'),
    });
    await using stores = await openStores(directory.path, options);
    const [notice] = await notices.count(1);
    expect(notice).to.include({ kind: 'unchecked' });
    expect(notice).to.have.nested.property('error.code', 'STORE_READ_FAILED');
    expect(await readdir(directory.path)).not.to.include('DAMAGED');
    await readContent(stores);
  });

  it('is not assumed if a read fails for another reason', async () => {
    await (await openStores(directory.path))[Symbol.asyncDispose]();
    const { notices, options } = record(UNCHECKED);
    await using stores = await openStores(directory.path, options);
    probe.current.onLookUp = () => Promise.reject(new Error('Input/output error'));
    await rejection(stores.days.load(toDay(20_411)), 'STORE_READ_FAILED');
    expect(notices.values).to.be.empty;
    expect(await readdir(directory.path)).not.to.include('DAMAGED');
  });

  it('is marked once, also without a listener', async () => {
    await damageName();
    {
      await using stores = await openStores(directory.path);
      for (let reads = 0; reads < 3; reads++) await rejection(stores.names.get(ada), 'STORE_CORRUPT');
      expect(calls.synced.filter((path) => path === markPath())).to.have.lengthOf(1);
      expect(openFiles(directory.path)).not.to.include('DAMAGED');
      // And there is no check.
      expect(rests).to.be.empty;
    }
    await rejection(openStores(directory.path), 'STORE_CORRUPT');
    await using stores = await openStores(directory.path, { repairsDamage: true });
    expect(await stores.names.get(ada)).to.equal(undefined);
  });

  it('is reported at the next opening in at most 500 characters', async () => {
    await makeKnownStore(directory.path, 1);
    await writeFile(markPath(), 'x'.repeat(10_000));
    const error = await rejection(openStores(directory.path), 'STORE_CORRUPT');
    expect(error.details['reason']).to.equal('x'.repeat(500));
  });

  it('lets the opening report the reason if the mark cannot be read', async () => {
    await makeKnownStore(directory.path, 1);
    await mkdir(markPath());
    const error = await rejection(openStores(directory.path), 'STORE_UNAVAILABLE');
    expect(error.message).to.include('EISDIR');
  });
});

describe('A repair of a path without a store', () => {
  const directory = useTempDirectory();

  it('is refused like its opening, and changes nothing', async () => {
    await writeFile(join(directory.path, 'f'), 'hi');
    const error = await rejection(LevelStorage.repair(directory.path), 'STORE_UNAVAILABLE');
    expect(error.message).to.match(/is not empty and holds no store \(it has "f"\)/);
    expect(await readdir(directory.path)).to.deep.equal(['f']);
  });

  it('is refused when it is a file', async () => {
    const path = join(directory.path, 'f');
    await writeFile(path, 'hi');
    expect((await rejection(LevelStorage.repair(path), 'STORE_UNAVAILABLE')).message).to.include('ENOTDIR');
    expect(await readFile(path, 'utf8')).to.equal('hi');
  });
});
