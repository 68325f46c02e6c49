import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAll, TallybookError } from '@tallybook/domain';
import {
  LevelCorrectionStore,
  LevelDatabase,
  LevelDayStore,
  LevelErasureStore,
  LevelJournal,
  LevelMappingStore,
  LevelProvisionalStore,
  LevelStampedNames,
} from '@tallybook/store-level';
import { erasureStoreContract, type ErasureStores, type ErasureSubject } from '@tallybook/testing';

erasureStoreContract({ describe, it }, { name: 'LevelErasureStore', hasFaults: true, make: onDisk });

const failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');

async function onDisk(): Promise<ErasureSubject> {
  const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
  let left = Infinity;
  const faults = {
    failAfter: (writes: number) => {
      left = writes;
      return () => (left = Infinity);
    },
  };
  let close = (): Promise<void> => Promise.resolve();
  const open = async (): Promise<ErasureStores> => {
    await close();
    const database = new LevelDatabase(path);
    const write = database.write.bind(database);
    database.write = (each) => (left-- > 0 ? write(each) : Promise.reject(failure));
    const stores = {
      journal: new LevelJournal(database),
      mapping: new LevelMappingStore(database),
      days: new LevelDayStore(database),
      provisional: new LevelProvisionalStore(database),
      corrections: new LevelCorrectionStore(database),
      erasures: new LevelErasureStore(database),
      stamped: new LevelStampedNames(database),
    };
    const opened = await openAll(Object.values(stores));
    close = () => opened.close();
    return stores;
  };
  const cleanup = async (): Promise<void> => {
    await close();
    await rm(path, { recursive: true, force: true });
  };
  return { ...(await open()), restart: open, faults, cleanup };
}
