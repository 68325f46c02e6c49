import { openAll, TallybookError } from '@tallybook/domain';
import {
  PostgresCorrectionStore,
  PostgresDatabase,
  PostgresDayStore,
  PostgresErasureStore,
  PostgresJournal,
  PostgresMappingStore,
  PostgresProvisionalStore,
  PostgresStampedNames,
} from '@tallybook/store-postgres';
import { erasureStoreContract, type ErasureStores, type ErasureSubject } from '@tallybook/testing';
import { usePostgres } from '../fixtures/postgres.js';

const failure = new TallybookError('STORE_WRITE_FAILED', 'the database is away');

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  erasureStoreContract(
    { describe, it },
    { name: 'PostgresErasureStore', hasFaults: true, make: () => onSite() },
  );

  async function onSite(): Promise<ErasureSubject> {
    const url = postgres.current.site();
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
      const database = new PostgresDatabase(url);
      const write = database.write.bind(database);
      database.write = (work, rows) => (left-- > 0 ? write(work, rows) : Promise.reject(failure));
      const stores = {
        journal: new PostgresJournal(database),
        mapping: new PostgresMappingStore(database),
        days: new PostgresDayStore(database),
        provisional: new PostgresProvisionalStore(database),
        corrections: new PostgresCorrectionStore(database),
        erasures: new PostgresErasureStore(database),
        stamped: new PostgresStampedNames(database),
      };
      const opened = await openAll(Object.values(stores));
      close = () => opened.close();
      return stores;
    };
    return { ...(await open()), restart: open, faults, cleanup: () => close() };
  }
});
