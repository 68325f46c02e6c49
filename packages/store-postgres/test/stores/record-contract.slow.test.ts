import { openAll } from '@tallybook/domain';
import {
  PostgresCorrectionStore,
  PostgresDatabase,
  PostgresDayStore,
  PostgresMappingStore,
  PostgresProvisionalStore,
  PostgresSnapshotSource,
} from '@tallybook/store-postgres';
import { dayStoreContract, provisionalStoreContract, snapshotSourceContract } from '@tallybook/testing';
import { usePostgres } from '../fixtures/postgres.js';
import { onSite } from '../fixtures/subjects.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  dayStoreContract(
    { describe, it },
    {
      name: 'PostgresDayStore',
      durable: true,
      make: () => onSite(postgres.current.site(), (database) => new PostgresDayStore(database)),
    },
  );

  provisionalStoreContract(
    { describe, it },
    {
      name: 'PostgresProvisionalStore',
      durable: true,
      make: () => onSite(postgres.current.site(), (database) => new PostgresProvisionalStore(database)),
    },
  );

  snapshotSourceContract(
    { describe, it },
    {
      name: 'PostgresSnapshotSource',
      make: async () => {
        const database = new PostgresDatabase(postgres.current.site());
        const stores = {
          mapping: new PostgresMappingStore(database),
          days: new PostgresDayStore(database),
          provisional: new PostgresProvisionalStore(database),
          corrections: new PostgresCorrectionStore(database),
        };
        const opened = await openAll(Object.values(stores));
        return { ...stores, snapshots: new PostgresSnapshotSource(database), cleanup: () => opened.close() };
      },
    },
  );
});
