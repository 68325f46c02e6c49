export { PostgresStorage, type PostgresStorageOptions } from './postgres-storage.js';
export { holdsPostgresSite } from './schema/format.js';
export { isPostgresUrl } from './connection/postgres-url.js';
export type { LostCommits } from './database/writer/given-numbers.js';
export { migratePostgres, type MigrationOptions, type MigrationReport } from './schema/migrate.js';
export type { SiteCalendar } from './schema/site-calendar.js';
