import { openAll } from '@tallybook/domain';
import {
  PostgresCorrectionStore,
  PostgresDatabase,
  PostgresDayStore,
  PostgresErasureStore,
  PostgresJournal,
  PostgresMappingStore,
  PostgresProvisionalStore,
} from '@tallybook/store-postgres';
import { erasureStoreContract, type ErasureStores, type ErasureSubject } from '@tallybook/testing';
import { usePostgres } from './fixtures/postgres.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  erasureStoreContract({ describe, it }, { name: 'PostgresErasureStore', make: () => onSite() });

  async function onSite(): Promise<ErasureSubject> {
    const url = postgres.current.site();
    let close = (): Promise<void> => Promise.resolve();
    const open = async (): Promise<ErasureStores> => {
      await close();
      const database = new PostgresDatabase(url);
      const stores = {
        journal: new PostgresJournal(database),
        mapping: new PostgresMappingStore(database),
        days: new PostgresDayStore(database),
        provisional: new PostgresProvisionalStore(database),
        corrections: new PostgresCorrectionStore(database),
        erasures: new PostgresErasureStore(database),
      };
      const opened = await openAll(Object.values(stores));
      close = () => opened.close();
      return stores;
    };
    return { ...(await open()), restart: open, cleanup: () => close() };
  }
});
