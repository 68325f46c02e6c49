import { PostgresMappingStore } from '@tallybook/store-postgres';
import { mappingStoreContract } from '@tallybook/testing';
import { usePostgres } from '../fixtures/postgres.js';
import { onSite } from '../fixtures/subjects.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  mappingStoreContract(
    { describe, it },
    {
      name: 'PostgresMappingStore',
      durable: true,
      make: () => onSite(postgres.current.site(), (database) => new PostgresMappingStore(database)),
    },
  );
});
