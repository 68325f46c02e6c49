import { openAll } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import {
  PostgresDatabase,
  PostgresDayStore,
  PostgresErasureStore,
  PostgresJournal,
  PostgresMappingStore,
  PostgresStampedNames,
  PostgresStationStore,
} from '@tallybook/store-postgres';
import {
  stampedNamesContract,
  stationStoreContract,
  type StampedNamesStores,
  type StampedNamesSubject,
} from '@tallybook/testing';
import { usePostgres } from '../fixtures/postgres.js';
import { onSite } from '../fixtures/subjects.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  stationStoreContract(
    { describe, it },
    {
      name: 'PostgresStationStore',
      durable: true,
      make: () => onSite(postgres.current.site(), (database) => new PostgresStationStore(database)),
    },
  );

  stampedNamesContract({ describe, it }, { name: 'PostgresStampedNames', make: inPostgres, isShared: true });

  async function inPostgres(first: StampSource | undefined): Promise<StampedNamesSubject> {
    const url = postgres.current.site();
    let close = (): Promise<void> => Promise.resolve();
    const open = async (source: StampSource | undefined): Promise<StampedNamesStores> => {
      await close();
      const database = new PostgresDatabase(url);
      const stores = {
        journal: new PostgresJournal(database),
        mapping: new PostgresMappingStore(database, source),
        days: new PostgresDayStore(database),
        stamped: new PostgresStampedNames(database),
        erasures: new PostgresErasureStore(database),
      };
      const opened = await openAll(Object.values(stores));
      close = () => opened.close();
      return stores;
    };
    return { ...(await open(first)), restart: open, cleanup: () => close() };
  }
});
