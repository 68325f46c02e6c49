export { isPostgresUrl } from './connection/postgres-url.js';
export { migratePostgres, type MigrationReport } from './schema/migrate.js';
export { PostgresDatabase, type PostgresDatabaseOptions } from './database/postgres-database.js';
export { PostgresDayStore } from './stores/postgres-day-store.js';
export { PostgresJournal } from './stores/postgres-journal.js';
export { PostgresMappingStore } from './stores/postgres-mapping-store.js';
export { PostgresProvisionalStore } from './stores/postgres-provisional-store.js';
export { PostgresSnapshotSource } from './stores/postgres-snapshot-source.js';
