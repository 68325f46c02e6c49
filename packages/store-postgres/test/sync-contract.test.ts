import { PostgresStationStore } from '@tallybook/store-postgres';
import { stationStoreContract } from '@tallybook/testing';
import { usePostgres } from './fixtures/postgres.js';
import { onSite } from './fixtures/subjects.js';

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
});
