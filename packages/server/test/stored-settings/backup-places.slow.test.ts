import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

describe('A place for backups with a space in its name', () => {
  const { TMPDIR } = process.env;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'my sticks '));
  });
  // The disks are made below it.
  beforeEach(() => (process.env['TMPDIR'] = folder));
  afterEach(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });
  const disks = useDisks();
  after(() => rm(folder, { recursive: true }));

  it('is found under its name', async () => {
    const card = disks.makeCard();
    card.insert();
    expect(card.slot).to.include('my sticks ');
    const places = await findBackupPlaces(tmpdir(), [dirname(card.slot)]);
    expect(places.map(({ path }) => path)).to.deep.equal([card.slot]);
  });
});
