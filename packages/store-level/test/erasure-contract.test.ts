import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAll } from '@tallybook/domain';
import {
  LevelCorrectionStore,
  LevelDatabase,
  LevelDayStore,
  LevelErasureStore,
  LevelJournal,
  LevelMappingStore,
  LevelProvisionalStore,
} from '@tallybook/store-level';
import { erasureStoreContract, type ErasureStores, type ErasureSubject } from '@tallybook/testing';

erasureStoreContract({ describe, it }, { name: 'LevelErasureStore', make: onDisk });

async function onDisk(): Promise<ErasureSubject> {
  const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
  let close = (): Promise<void> => Promise.resolve();
  const open = async (): Promise<ErasureStores> => {
    await close();
    const database = new LevelDatabase(path);
    const stores = {
      journal: new LevelJournal(database),
      mapping: new LevelMappingStore(database),
      days: new LevelDayStore(database),
      provisional: new LevelProvisionalStore(database),
      corrections: new LevelCorrectionStore(database),
      erasures: new LevelErasureStore(database),
    };
    const opened = await openAll(Object.values(stores));
    close = () => opened.close();
    return stores;
  };
  const cleanup = async (): Promise<void> => {
    await close();
    await rm(path, { recursive: true, force: true });
  };
  return { ...(await open()), restart: open, cleanup };
}
