import type { Storage } from '@tallybook/domain';
import type { AccessFacets } from '@tallybook/domain/access';
import { SqliteAccessStore, SqliteAuditStore } from './sqlite-access.js';
import { SqliteDatabase } from './sqlite-database.js';
import { SqliteDayStore } from './sqlite-day-store.js';
import { SqliteJournal } from './sqlite-journal.js';
import { SqliteMappingStore } from './sqlite-mapping-store.js';
import { SqliteSnapshots } from './sqlite-snapshots.js';

/**
 * A storage in one file of SQLite. One process uses it at a time; another one gets `STORE_LOCKED`.
 *
 * It has no provisional scans, corrections, receipts, erasures, stamps or stations: what needs them is not offered.
 */
export class SqliteStorage extends SqliteDatabase implements Storage, AccessFacets {
  readonly mapping: SqliteMappingStore = new SqliteMappingStore(this);
  readonly days: SqliteDayStore = new SqliteDayStore(this);
  readonly journal: SqliteJournal = new SqliteJournal(this);
  readonly snapshots: SqliteSnapshots = new SqliteSnapshots(this);
  readonly access: SqliteAccessStore = new SqliteAccessStore(this);
  readonly audit: SqliteAuditStore = new SqliteAuditStore(this);
}
