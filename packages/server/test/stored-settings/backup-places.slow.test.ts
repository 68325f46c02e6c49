import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { findBackupPlaces } from '../../src/stored-settings/backup-places.js';
import { useDisks } from '../fixtures/disk/disks.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('The places for backups', () => {
  const disks = useDisks();
  const folder = temporaryFolder();

  it('are mounted cards, with their free space', async () => {
    const card = disks.makeCard();
    card.insert();
    const places = await findBackupPlaces(folder.path(), [dirname(card.slot)]);
    expect(places.map(({ path, isRemovable }) => [path, isRemovable])).to.deep.equal([[card.slot, false]]);
    expect(places[0]?.freeBytes).to.be.within(1_000_000, 16 << 20);
  });

  it('are not the card of the store', async () => {
    const card = disks.makeCard();
    card.insert();
    const store = join(card.slot, 'store');
    await mkdir(store);
    expect(await findBackupPlaces(store, [dirname(card.slot)])).to.deep.equal([]);
  });

  it('are not a disk in memory, and nothing at another place', async () => {
    const small = disks.mountSmall(1_000_000);
    const card = disks.makeCard();
    card.insert();
    expect(await findBackupPlaces(folder.path(), [small, `${card.slot}-other`])).to.deep.equal([]);
  });

  it('are none without a disk', async () => {
    expect(await findBackupPlaces(folder.path(), [folder.path()])).to.deep.equal([]);
  });
});
