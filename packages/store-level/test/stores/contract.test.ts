import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAll, type Lifecycle } from '@tallybook/domain';
import {
  LevelAccessStore,
  LevelAuditStore,
  LevelCorrectionStore,
  LevelDatabase,
  LevelDayStore,
  LevelMappingStore,
  LevelProvisionalStore,
  LevelReceiptStore,
  LevelSnapshotSource,
} from '@tallybook/store-level';
import {
  accessStoreContract,
  auditStoreContract,
  correctionStoreContract,
  dayStoreContract,
  mappingStoreContract,
  provisionalStoreContract,
  receiptStoreContract,
  snapshotSourceContract,
  type StoreSubject,
} from '@tallybook/testing';

dayStoreContract(
  { describe, it },
  { name: 'LevelDayStore', durable: true, make: () => onDisk((database) => new LevelDayStore(database)) },
);

mappingStoreContract(
  { describe, it },
  {
    name: 'LevelMappingStore',
    durable: true,
    make: () => onDisk((database) => new LevelMappingStore(database)),
  },
);

correctionStoreContract(
  { describe, it },
  {
    name: 'LevelCorrectionStore',
    durable: true,
    make: () => onDisk((database) => new LevelCorrectionStore(database)),
  },
);

provisionalStoreContract(
  { describe, it },
  {
    name: 'LevelProvisionalStore',
    durable: true,
    make: () => onDisk((database) => new LevelProvisionalStore(database)),
  },
);

accessStoreContract(
  { describe, it },
  {
    name: 'LevelAccessStore',
    durable: true,
    make: () => onDisk((database) => new LevelAccessStore(database)),
  },
);

auditStoreContract(
  { describe, it },
  { name: 'LevelAuditStore', durable: true, make: () => onDisk((database) => new LevelAuditStore(database)) },
);

receiptStoreContract(
  { describe, it },
  {
    name: 'LevelReceiptStore',
    durable: true,
    make: () => onDisk((database) => new LevelReceiptStore(database)),
  },
);

snapshotSourceContract(
  { describe, it },
  {
    name: 'LevelSnapshotSource',
    make: async () => {
      const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
      const database = new LevelDatabase(path);
      const stores = {
        mapping: new LevelMappingStore(database),
        days: new LevelDayStore(database),
        provisional: new LevelProvisionalStore(database),
        corrections: new LevelCorrectionStore(database),
      };
      const opened = await openAll(Object.values(stores));
      return {
        ...stores,
        snapshots: new LevelSnapshotSource(database),
        cleanup: async () => {
          await opened.close();
          await rm(path, { recursive: true, force: true });
        },
      };
    },
  },
);

async function onDisk<S extends Lifecycle>(create: (database: LevelDatabase) => S): Promise<StoreSubject<S>> {
  const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
  const store = create(new LevelDatabase(path));
  return {
    store,
    reopen: () => create(new LevelDatabase(path)),
    cleanup: async () => {
      await store.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}
