import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import type { StationNotes } from '@tallybook/domain/sync';
import { LevelStorage } from '@tallybook/store-level';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { deleteRawRows, hexOf, writeRawRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openFacet } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const hallKey = `0d${hexOf('hall')}`;
const refusedKey = `0e${hexOf('hall')}`;
const at = toTimestamp(1_763_500_000);
const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };
const refused = { cursor: 5, code: 'TAG_ERASED', message: 'The tag was erased.' };
const notes: StationNotes = { heardAt: at, status, refused: [] };

describe('LevelStationStore', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  const open = () => openFacet(directory.path, 'stations');

  beforeEach(async () => {
    await using store = await open();
    await store.acknowledge('hall', 'run', 7, { ...notes, refused: [refused] });
    await store.acknowledge('gate', 'run', 9, notes);
  });

  it('does not write refused items again with each batch', async () => {
    await using store = await open();
    probe.current.forget();
    await store.acknowledge('hall', 'run', 8, notes);
    const written = probe.current.batches.flatMap(({ operations }) => operations);
    expect(written.map(({ key }) => key.toString('hex'))).to.deep.equal(['0002', hallKey]);
    expect(probe.current.lookedUp).to.equal(1);
  });

  it('has no data of a station with a damaged row, and all data of the others', async () => {
    await writeRawRows(directory.path, { [hallKey]: 'ffffffffff' });
    {
      await using store = await open();
      expect(await store.progress('hall', 'run')).to.equal(0);
      expect(await store.progress('gate', 'run')).to.equal(9);
      expect((await store.list()).map(({ name }) => name)).to.deep.equal(['gate']);
      await store.acknowledge('hall', 'run', 3, notes);
      expect(await store.progress('hall', 'run')).to.equal(3);
      const [, hall] = await store.list();
      expect(hall?.refused).to.deep.equal([{ ...refused, run: 'run', at }]);
    }
    await rejection(open(), 'STORE_CORRUPT');
  });

  it('has no refused items if their row is damaged, and notes the next ones', async () => {
    await writeRawRows(directory.path, { [refusedKey]: 'ffffffffff' });
    await using store = await open();
    expect((await store.list())[1]).to.include({ name: 'hall', acknowledged: 7 });
    expect((await store.list())[1]?.refused).to.deep.equal([]);
    await store.acknowledge('hall', 'run', 8, { ...notes, refused: [refused] });
    expect((await store.list())[1]?.refused).to.deep.equal([{ ...refused, run: 'run', at }]);
  });

  it('is saved by a repair, which forgets its progress: acknowledged changes may be lost', async () => {
    await deleteRawRows(directory.path, ['0001']);
    expect((await LevelStorage.repair(directory.path)).saved).to.include({ stations: 2 });
    await using store = await open();
    expect(await store.progress('gate', 'run')).to.equal(0);
    expect((await store.list())[1]?.refused).to.deep.equal([{ ...refused, run: 'run', at }]);
  });
});
