export { isPostgresUrl } from './connection/postgres-url.js';
export { migratePostgres, type MigrationReport } from './schema/migrate.js';
export { PostgresDatabase, type PostgresDatabaseOptions } from './database/postgres-database.js';
export { PostgresMappingStore } from './stores/postgres-mapping-store.js';
