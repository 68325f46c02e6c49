import {
  PostgresAccessStore,
  PostgresAuditStore,
  PostgresCorrectionStore,
  PostgresReceiptStore,
} from '@tallybook/store-postgres';
import {
  accessStoreContract,
  auditStoreContract,
  correctionStoreContract,
  receiptStoreContract,
} from '@tallybook/testing';
import { usePostgres } from '../fixtures/postgres.js';
import { onSite } from '../fixtures/subjects.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();
  const runner = { describe, it };
  const durable = true;

  accessStoreContract(runner, {
    ...{ name: 'PostgresAccessStore', durable },
    make: () => onSite(postgres.current.site(), (database) => new PostgresAccessStore(database)),
  });
  auditStoreContract(runner, {
    ...{ name: 'PostgresAuditStore', durable },
    make: () => onSite(postgres.current.site(), (database) => new PostgresAuditStore(database)),
  });
  receiptStoreContract(runner, {
    ...{ name: 'PostgresReceiptStore', durable },
    make: () => onSite(postgres.current.site(), (database) => new PostgresReceiptStore(database)),
  });
  correctionStoreContract(runner, {
    ...{ name: 'PostgresCorrectionStore', durable },
    make: () => onSite(postgres.current.site(), (database) => new PostgresCorrectionStore(database)),
  });
});
