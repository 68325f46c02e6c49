export { isPostgresUrl } from './connection/postgres-url.js';
export { migratePostgres, type MigrationReport } from './schema/migrate.js';
export { PostgresDatabase, type PostgresDatabaseOptions } from './database/postgres-database.js';
export { PostgresMappingStore } from './stores/postgres-mapping-store.js';
export { PostgresAccessStore } from './stores/postgres-access-store.js';
export { PostgresAuditStore } from './stores/postgres-audit-store.js';
export { PostgresCorrectionStore } from './stores/postgres-correction-store.js';
export { PostgresReceiptStore } from './stores/postgres-receipt-store.js';
