export { PostgresStorage, type PostgresStorageOptions } from './postgres-storage.js';
export { holdsPostgresSite } from './schema/holds-site.js';
export { isPostgresUrl } from './connection/postgres-url.js';
export type { LostCommits } from './database/lost-commits.js';
export { migratePostgres, type MigrationOptions, type MigrationReport } from './schema/migrate.js';
export type { SiteCalendar } from './schema/site-calendar.js';
