import {
  JOURNAL_DAYS_RANGE,
  JOURNAL_LIMIT_RANGE,
  quote,
  TallybookError,
  type AccessStore,
  type AuditStore,
  type CorrectionStore,
  type DayStore,
  type Erasure,
  type ErasureStore,
  type Journal,
  type MappingStore,
  type Name,
  type ProvisionalStore,
  type ReceiptStore,
  type SnapshotSource,
  type StampedNames,
  type StampSource,
  type StationStore,
  type TallyId,
} from '@tallybook/domain';
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
  /** Of all of them together. */
  readonly erasures: ErasureStore;
  /** Of the changes of all of them. */
  readonly journal: Journal;
  /** Of all of them together. */
  readonly snapshots: SnapshotSource;
  // Journal and snapshots know nothing of these.
  readonly access: AccessStore;
  readonly audit: AuditStore;
  readonly receipts: ReceiptStore;
  /** Of the names of `mapping`. */
  readonly stampedNames: StampedNames;
  readonly stations: StationStore;
}

/** Options of stores: among them what they do when they are opened, and how much their journal keeps. */
export interface StoreOptions extends Pick<
  LevelDatabaseOptions,
  'repairsDamage' | 'journal' | 'clock' | 'onOpening'
> {
  /** Called with notices. Must not throw. */
  readonly notify?: (notice: StoreNotice) => void;
  /** Stamps each name that is changed, for merging with those of other places. Without it changes have no stamp. */
  readonly stamps?: StampSource;
  /** All servers of a shared store must have the same. */
  readonly calendar?: SiteCalendar;
}

/** A message of a store about its state, when it is opened or later. */
export type StoreNotice =
  | LevelNotice
  /** Settings of a database with which a power cut can lose what was acknowledged; none if that is over. */
  | { readonly kind: 'unsafe'; readonly path: string; readonly settings: readonly string[] };

/** For commands: only the service removes changes from the journal, by its settings. */
export const removesNothing: StoreOptions = {
  journal: { limit: JOURNAL_LIMIT_RANGE.highest, days: JOURNAL_DAYS_RANGE.highest },
};

interface StoreScheme {
  readonly usage: string;
  readonly create: (path: string, options: StoreOptions, url: string) => Stores | undefined;
  /** Repairs a damaged store, and saves what can be saved; absent for stores that this program cannot repair. */
  readonly repair?: (path: string) => Promise<RepairReport>;
  /** Makes its tables; absent where opening does that. */
  readonly migrate?: (url: string, calendar: SiteCalendar | undefined) => Promise<MigrationReport>;
  /** Whether there is something to read; asked before a command that must not begin a new store. */
  readonly exists: (path: string, url: string) => Promise<boolean>;
  /** Its folder; absent for a store that is not on a disk of this machine. */
  readonly folder?: (path: string) => string;
  /** Whether other servers may use it at the same time. Default: no. */
  readonly isShared?: true;
}

/** Tables of one site in a PostgreSQL, which several servers may use at a time. */
const postgres: StoreScheme = {
  usage: 'postgres://USER@HOST/DATABASE?site=NAME',
  create: (_, { journal, clock, notify, stamps, calendar }, url) => {
    const database = new PostgresDatabase(url, {
      ...(journal && { journal }),
      ...(clock && { clock }),
      ...(calendar && { calendar }),
      onSiteMade: () => notify?.({ kind: 'created', path: describeStore(url) }),
      onUnsafe: (settings) => notify?.({ kind: 'unsafe', path: describeStore(url), settings }),
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

/** Every kind of store, by the scheme of its URL. Adding one is adding an entry. */
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
 * Makes the stores that a URL names, closed.
 *
 * @throws {TallybookError} `INVALID_OPTION` if there is no such kind of store.
 */
export function createStores(url: string, options: StoreOptions = {}): Stores {
  const { scheme, path } = parseStoreUrl(url);
  const stores = scheme?.create(path, options, url);
  if (stores === undefined) throw invalid(url);
  return stores;
}

/** The URL of a store as it may be shown and logged: without a password. */
export function describeStore(url: string): string {
  // Up to the last @: a password may hold everything that ought to be escaped in it.
  return url.replace(/^([^:/?#@]*:\/\/[^:/@]*):.*@/s, '$1@').replace(/([?&][^=&]*password=)[^&]*/gi, '$1…');
}

/** The folder of the store that a URL names; `undefined` if it is in memory, or in a database elsewhere. */
export function storeFolderOf(url: string): string | undefined {
  const { scheme, path } = parseStoreUrl(url);
  return scheme?.folder?.(path);
}

/** Whether opening the store that a URL names makes a folder, or fills one. */
export async function makesStoreFolder(url: string): Promise<boolean> {
  const { scheme, path } = parseStoreUrl(url);
  return scheme?.folder !== undefined && !(await scheme.exists(path, url));
}

/** Whether other servers may use the store that a URL names at the same time. */
export function isSharedStore(url: string): boolean {
  return parseStoreUrl(url).scheme?.isShared === true;
}

/**
 * Checks that a store exists, for commands that read one. Rejects with `STORE_UNAVAILABLE` naming the path if it does
 * not.
 */
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
 * Repairs the store that a URL names. Rejects with `INVALID_OPTION` if it is of a kind that needs no repair, with
 * `STORE_UNAVAILABLE` if there is none, and as opening it does.
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
 * Makes the tables of the store that a URL names, or changes those of an earlier version. Rejects with `INVALID_OPTION` if it is
 * of a kind whose format is brought up to date when it is opened; and as `migratePostgres` does.
 *
 * @param calendar Becomes that of all servers of the store; `undefined` leaves what it is.
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
