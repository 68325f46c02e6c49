import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAll } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import {
  LevelDatabase,
  LevelDayStore,
  LevelErasureStore,
  LevelJournal,
  LevelMappingStore,
  LevelStampedNames,
  LevelStationStore,
} from '@tallybook/store-level';
import {
  stampedNamesContract,
  stationStoreContract,
  type StampedNamesStores,
  type StampedNamesSubject,
} from '@tallybook/testing';

stationStoreContract(
  { describe, it },
  {
    name: 'LevelStationStore',
    durable: true,
    make: async () => {
      const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
      const store = new LevelStationStore(new LevelDatabase(path));
      return {
        store,
        reopen: () => new LevelStationStore(new LevelDatabase(path)),
        cleanup: async () => {
          await store.close();
          await rm(path, { recursive: true, force: true });
        },
      };
    },
  },
);

stampedNamesContract({ describe, it }, { name: 'LevelStampedNames', make: onDisk });

async function onDisk(first: StampSource | undefined): Promise<StampedNamesSubject> {
  const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
  let close = (): Promise<void> => Promise.resolve();
  const open = async (source: StampSource | undefined): Promise<StampedNamesStores> => {
    await close();
    const database = new LevelDatabase(path);
    const stores = {
      journal: new LevelJournal(database),
      mapping: new LevelMappingStore(database, source),
      days: new LevelDayStore(database),
      stamped: new LevelStampedNames(database),
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
  return { ...(await open(first)), restart: open, cleanup };
}
