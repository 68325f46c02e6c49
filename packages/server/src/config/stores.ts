import {
  JOURNAL_DAYS_RANGE,
  JOURNAL_LIMIT_RANGE,
  quote,
  TallybookError,
  type DayStore,
  type Journal,
  type MappingStore,
  type Name,
  type ProvisionalStore,
  type ReceiptStore,
  type SnapshotSource,
  type TallyId,
} from '@tallybook/domain';
import type { CorrectionStore, Erasure, ErasureStore } from '@tallybook/domain/record';
import type { AccessStore, AuditStore } from '@tallybook/domain/access';
import type { StampedNames, StampSource, StationStore } from '@tallybook/domain/sync';
import {
  LevelAccessStore,
  LevelAuditStore,
  LevelCorrectionStore,
  LevelDatabase,
  LevelDayStore,
  LevelErasureStore,
  LevelJournal,
  LevelMappingStore,
  LevelProvisionalStore,
  LevelReceiptStore,
  LevelSnapshotSource,
  LevelStampedNames,
  LevelStationStore,
  type LevelDatabaseOptions,
  type RepairReport,
  type StoreNotice as LevelNotice,
} from '@tallybook/store-level';
import {
  holdsPostgresSite,
  migratePostgres,
  PostgresAccessStore,
  PostgresAuditStore,
  PostgresCorrectionStore,
  PostgresDatabase,
  PostgresDayStore,
  PostgresErasureStore,
  PostgresJournal,
  PostgresMappingStore,
  PostgresProvisionalStore,
  PostgresReceiptStore,
  PostgresSnapshotSource,
  PostgresStampedNames,
  PostgresStationStore,
  type LostCommits,
  type MigrationReport,
  type SiteCalendar,
} from '@tallybook/store-postgres';
import {
  MemoryAccessStore,
  MemoryAuditStore,
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  MemoryReceiptStore,
  MemorySnapshotSource,
  MemoryStampedNames,
  MemoryStationStore,
  noChanges,
  noCorrections,
  noProvisionalScans,
  type MemoryDays,
} from '@tallybook/store-memory';

export interface Stores {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly provisional: ProvisionalStore;
  readonly corrections: CorrectionStore;
  /** Erasures from all of these stores. */
  readonly erasures: ErasureStore;
  /** Journal of the changes of all of these stores. */
  readonly journal: Journal;
  /** Snapshots of all of these stores together. */
  readonly snapshots: SnapshotSource;
  // The journal and the snapshots do not contain the following stores.
  readonly access: AccessStore;
  readonly audit: AuditStore;
  readonly receipts: ReceiptStore;
  /** The names of `mapping` with their stamps. */
  readonly stampedNames: StampedNames;
  readonly stations: StationStore;
}

/** Options of stores, such as their reaction to damage at the opening, and the limits of their journal. */
export interface StoreOptions extends Pick<
  LevelDatabaseOptions,
  'repairsDamage' | 'journal' | 'clock' | 'onOpening'
> {
  /** Called with notices. Must not throw. */
  readonly notify?: (notice: StoreNotice) => void;
  /** Stamps each changed name, for merging with names of other places. Without it, changes have no stamp. */
  readonly stamps?: StampSource;
  /** All servers of a shared store must have the same calendar. */
  readonly calendar?: SiteCalendar;
}

/** A message of a store about its state, at the opening or later. */
export type StoreNotice =
  | LevelNotice
  /**
   * Unsafe settings of a database: with them, a power cut can lose acknowledged data. Empty when they are corrected.
   */
  | { readonly kind: 'unsafe'; readonly path: string; readonly settings: readonly string[] }
  /** A database no longer has the last acknowledged write of this server. */
  | ({ readonly kind: 'lost-commits'; readonly path: string } & LostCommits);

/** Options for commands, which remove no changes from the journal: only the service does, by its settings. */
export const removesNothing: StoreOptions = {
  journal: { limit: JOURNAL_LIMIT_RANGE.highest, days: JOURNAL_DAYS_RANGE.highest },
};

interface StoreScheme {
  readonly usage: string;
  readonly create: (path: string, options: StoreOptions, url: string) => Stores | undefined;
  /** Repairs a damaged store, and saves all readable data; absent for stores that this program cannot repair. */
  readonly repair?: (path: string) => Promise<RepairReport>;
  /** Makes its tables; absent if opening makes them. */
  readonly migrate?: (url: string, calendar: SiteCalendar | undefined) => Promise<MigrationReport>;
  /** Whether the store exists. Called before a command that must not begin a new store. */
  readonly exists: (path: string, url: string) => Promise<boolean>;
  /** The folder of the store; absent for a store that is not on a disk of this machine. */
  readonly folder?: (path: string) => string;
  /** Whether other servers may use it at the same time. Default: no. */
  readonly isShared?: true;
}

/** Tables of one site in a PostgreSQL, which several servers may use at the same time. */
const postgres: StoreScheme = {
  usage: 'postgres://USER@HOST/DATABASE?site=NAME',
  create: (_, { journal, clock, notify, stamps, calendar }, url) => {
    const database = new PostgresDatabase(url, {
      ...(journal && { journal }),
      ...(clock && { clock }),
      ...(calendar && { calendar }),
      onSiteMade: () => notify?.({ kind: 'created', path: describeStore(url) }),
      onUnsafe: (settings) => notify?.({ kind: 'unsafe', path: describeStore(url), settings }),
      onLost: (lost) => notify?.({ kind: 'lost-commits', path: describeStore(url), ...lost }),
    });
    return {
      mapping: new PostgresMappingStore(database, stamps),
      days: new PostgresDayStore(database),
      provisional: new PostgresProvisionalStore(database),
      erasures: new PostgresErasureStore(database),
      corrections: new PostgresCorrectionStore(database),
      journal: new PostgresJournal(database),
      snapshots: new PostgresSnapshotSource(database),
      access: new PostgresAccessStore(database),
      audit: new PostgresAuditStore(database),
      receipts: new PostgresReceiptStore(database),
      stampedNames: new PostgresStampedNames(database),
      stations: new PostgresStationStore(database),
    };
  },
  exists: (_, url) => holdsPostgresSite(url),
  migrate: (url, calendar) => migratePostgres(url, calendar && { calendar }),
  isShared: true,
};

/** Every kind of store, by the scheme of its URL. A new kind is one more entry. */
const schemes: Readonly<Record<string, StoreScheme>> = {
  level: {
    usage: 'level:PATH',
    create: (path, { stamps, ...options }) => {
      if (path === '') return undefined;
      const database = new LevelDatabase(path, options);
      return {
        mapping: new LevelMappingStore(database, stamps),
        days: new LevelDayStore(database),
        provisional: new LevelProvisionalStore(database),
        erasures: new LevelErasureStore(database),
        corrections: new LevelCorrectionStore(database),
        journal: new LevelJournal(database),
        snapshots: new LevelSnapshotSource(database),
        access: new LevelAccessStore(database),
        audit: new LevelAuditStore(database),
        receipts: new LevelReceiptStore(database),
        stampedNames: new LevelStampedNames(database),
        stations: new LevelStationStore(database),
      };
    },
    exists: (path) => LevelDatabase.exists(path),
    repair: (path) => LevelDatabase.repair(path),
    folder: (path) => path,
  },
  memory: {
    usage: 'memory:',
    create: (path, { journal: limits, stamps: source }) => {
      if (path !== '') return undefined;
      const contents = {
        names: new Map<TallyId, Name>(),
        days: new Map() as MemoryDays,
        scans: noProvisionalScans(),
        corrections: noCorrections(),
      };
      const journal = new MemoryJournal(noChanges(), limits);
      const mapping = new MemoryMappingStore(contents.names, journal, source && { source });
      const days = new MemoryDayStore(contents.days, journal);
      const provisional = new MemoryProvisionalStore(contents.scans, journal);
      const corrections = new MemoryCorrectionStore(contents.corrections, journal);
      const erased = new Map<string, Erasure>();
      return {
        mapping,
        days,
        provisional,
        corrections,
        erasures: new MemoryErasureStore({ mapping, days, provisional, corrections, journal }, erased),
        journal,
        snapshots: new MemorySnapshotSource(contents),
        access: new MemoryAccessStore(),
        audit: new MemoryAuditStore(),
        receipts: new MemoryReceiptStore(),
        stampedNames: new MemoryStampedNames(mapping),
        stations: new MemoryStationStore(),
      };
    },
    exists: () => Promise.resolve(true),
  },
  postgres,
  postgresql: postgres,
};

const URL_SHAPE = /^([a-z]+):(.*)$/s;

/**
 * Makes the stores of a URL, closed.
 *
 * @throws {TallybookError} `INVALID_OPTION` if there is no such kind of store.
 */
export function createStores(url: string, options: StoreOptions = {}): Stores {
  const { scheme, path } = parseStoreUrl(url);
  const stores = scheme?.create(path, options, url);
  if (stores === undefined) throw invalid(url);
  return stores;
}

/** The URL of a store without a password, so that it may be shown and logged. */
export function describeStore(url: string): string {
  // Up to the last @: a password may contain unescaped characters.
  return url.replace(/^([^:/?#@]*:\/\/[^:/@]*):.*@/s, '$1@').replace(/([?&][^=&]*password=)[^&]*/gi, '$1…');
}

/** The folder of the store of a URL; `undefined` if the store is in memory, or in a database. */
export function storeFolderOf(url: string): string | undefined {
  const { scheme, path } = parseStoreUrl(url);
  return scheme?.folder?.(path);
}

/** Whether opening the store of a URL creates a folder, or fills an empty one. */
export async function makesStoreFolder(url: string): Promise<boolean> {
  const { scheme, path } = parseStoreUrl(url);
  return scheme?.folder !== undefined && !(await scheme.exists(path, url));
}

/** Whether other servers may use the store of a URL at the same time. */
export function isSharedStore(url: string): boolean {
  return parseStoreUrl(url).scheme?.isShared === true;
}

/** Checks that a store exists, for commands that read one. If not, rejects with `STORE_UNAVAILABLE` and the path. */
export async function requireStore(url: string): Promise<void> {
  const { scheme, path } = parseStoreUrl(url);
  if ((await scheme?.exists(path, url)) === false) {
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `there is no store at ${describeStore(url).replace(/^level:/, '')}; choose it with --store`,
      {
        details: { path },
      },
    );
  }
}

/**
 * Repairs the store of a URL. Rejects with `INVALID_OPTION` if this kind of store is not repaired by this program, with
 * `STORE_UNAVAILABLE` if there is no such store, and with the errors of opening it.
 */
export async function repairStore(url: string): Promise<RepairReport> {
  const { scheme, path } = parseStoreUrl(url);
  if (scheme?.repair === undefined) {
    throw new TallybookError(
      'INVALID_OPTION',
      `only a store on a disk can be repaired; got ${quote(describeStore(url))}`,
    );
  }
  await requireStore(url);
  return scheme.repair(path);
}

/**
 * Makes the tables of the store of a URL, or updates tables of an older version. Rejects with `INVALID_OPTION` if this kind of
 * store is updated when it is opened; and with the errors of `migratePostgres`.
 *
 * @param calendar The new calendar for all servers of the store; `undefined` leaves it unchanged.
 */
export async function migrateStore(url: string, calendar?: SiteCalendar): Promise<MigrationReport> {
  const { scheme } = parseStoreUrl(url);
  if (scheme?.migrate !== undefined) return scheme.migrate(url, calendar);
  throw new TallybookError(
    'INVALID_OPTION',
    `only a PostgreSQL is migrated by a command, other stores when they are opened; got ${quote(describeStore(url))}`,
  );
}

function parseStoreUrl(url: string): { readonly scheme: StoreScheme | undefined; readonly path: string } {
  const [, scheme = '', path = ''] = URL_SHAPE.exec(url) ?? [];
  return { scheme: Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined, path };
}

function invalid(url: string): TallybookError {
  const usages = [...new Set(Object.values(schemes))].map(({ usage }) => usage);
  return new TallybookError(
    'INVALID_OPTION',
    `a store is one of ${usages.join(', ')}; got ${quote(describeStore(url))}`,
  );
}
