import type {
  DayStore,
  Journal,
  MappingStore,
  PeopleStore,
  ProvisionalStore,
  ReceiptStore,
  SnapshotSource,
  Storage,
} from '@tallybook/domain';
import {
  DatabaseStorage,
  type RecordFacets,
  type CorrectionStore,
  type ErasureStore,
} from '@tallybook/domain/record';
import type { AccessFacets, AccessStore, AuditStore } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { SyncFacets, StampedNames, StampSource, StationStore } from '@tallybook/domain/sync';
import { PostgresDatabase, type PostgresDatabaseOptions } from './database/postgres-database.js';
import { PostgresErasureStore } from './stores/erasure/postgres-erasure-store.js';
import { PostgresAccessStore } from './stores/postgres-access-store.js';
import { PostgresAuditStore } from './stores/postgres-audit-store.js';
import { PostgresCorrectionStore } from './stores/postgres-correction-store.js';
import { PostgresDayStore } from './stores/postgres-day-store.js';
import { PostgresJournal } from './stores/postgres-journal.js';
import { PostgresMappingStore } from './stores/postgres-mapping-store.js';
import { PostgresPeopleStore } from './stores/postgres-people-store.js';
import { PostgresProvisionalStore } from './stores/postgres-provisional-store.js';
import { PostgresReceiptStore } from './stores/postgres-receipt-store.js';
import { PostgresSnapshotSource } from './stores/postgres-snapshot-source.js';
import { PostgresStampedNames } from './stores/postgres-stamped-names.js';
import { PostgresStationStore } from './stores/postgres-station-store.js';

export interface PostgresStorageOptions extends PostgresDatabaseOptions {
  /** The time of changed names, for merging with names of other places. Default: the system clock. */
  readonly stamps?: StampSource | undefined;
}

/** The facets of a storage over its database. */
export abstract class PostgresFacets
  extends DatabaseStorage
  implements Storage, RecordFacets, AccessFacets, PersonalFacets, SyncFacets
{
  readonly mapping: MappingStore;
  readonly people: PeopleStore;
  readonly days: DayStore;
  readonly journal: Journal;
  readonly snapshots: SnapshotSource;
  readonly provisional: ProvisionalStore;
  readonly receipts: ReceiptStore;
  readonly corrections: CorrectionStore;
  readonly erasures: ErasureStore;
  readonly access: AccessStore;
  readonly audit: AuditStore;
  readonly stampedNames: StampedNames;
  readonly stations: StationStore;
  readonly isShared = true;

  constructor(database: PostgresDatabase, stamps: StampSource = systemTime) {
    super(database);
    this.mapping = new PostgresMappingStore(database, stamps);
    this.people = new PostgresPeopleStore(database, stamps);
    this.days = new PostgresDayStore(database);
    this.provisional = new PostgresProvisionalStore(database);
    const openingPeople = new PostgresPeopleStore(database, stamps, (work) => work());
    this.erasures = new PostgresErasureStore(database, openingPeople);
    this.corrections = new PostgresCorrectionStore(database);
    this.journal = new PostgresJournal(database);
    this.snapshots = new PostgresSnapshotSource(database);
    this.stampedNames = new PostgresStampedNames(database);
    this.stations = new PostgresStationStore(database);
    this.access = new PostgresAccessStore(database);
    this.audit = new PostgresAuditStore(database);
    this.receipts = new PostgresReceiptStore(database);
  }
}

/**
 * A storage for one site in a PostgreSQL.
 *
 * Other servers may use the same site at the same time. While the database is away, reads reject with `STORE_READ_FAILED`, and
 * writes with `STORE_WRITE_FAILED` after `retryMs`. Both work again when the database is back.
 */
export class PostgresStorage extends PostgresFacets {
  /**
   * @param url `postgres://USER@HOST:PORT/DATABASE?site=NAME&sslmode=MODE`
   * @throws {TallybookError} `INVALID_OPTION` for another URL.
   * @throws {RangeError} if an option is out of range.
   */
  constructor(url: string, { stamps, ...options }: PostgresStorageOptions = {}) {
    super(new PostgresDatabase(url, options), stamps);
  }
}

const systemTime: StampSource = { now: () => Date.now() };
