import { invalidOption } from '@tallybook/devices';
import { quote, TallybookError, type Storage } from '@tallybook/domain';
import type { RecordFacets } from '@tallybook/domain/record';
import type { AccessFacets } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { SyncFacets, StampSource } from '@tallybook/domain/sync';
import { MemoryStorage } from '@tallybook/store-memory';
import {
  LevelStorage,
  type LevelStorageOptions,
  type RepairReport,
  type StoreNotice as LevelNotice,
} from '@tallybook/store-level';
import {
  holdsPostgresSite,
  migratePostgres,
  PostgresStorage,
  type LostCommits,
  type MigrationReport,
  type SiteCalendar,
} from '@tallybook/store-postgres';

/** What the service needs of a storage. What needs the other facets is offered only if the storage has them. */
export type ServedStorage = Storage & AccessFacets & Partial<RecordFacets & PersonalFacets & SyncFacets>;

/** A storage of the configuration: it has all facets. */
export type FullStorage = Storage &
  Required<Pick<Storage, 'provisional' | 'receipts'>> &
  RecordFacets &
  AccessFacets &
  PersonalFacets &
  SyncFacets;

/** Options of stores, such as their reaction to damage at the opening, and the limits of their journal. */
export interface StoreOptions extends Pick<
  LevelStorageOptions,
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

interface StoreScheme {
  readonly usage: string;
  readonly create: (path: string, options: StoreOptions, url: string) => FullStorage | undefined;
  /** Repairs a damaged store, and saves all readable data; absent for stores that this program cannot repair. */
  readonly repair?: (path: string) => Promise<RepairReport>;
  /** Makes its tables; absent if opening makes them. */
  readonly migrate?: (url: string, calendar: SiteCalendar | undefined) => Promise<MigrationReport>;
  /** Whether the store exists. Called before a command that must not begin a new store. */
  readonly exists: (path: string, url: string) => Promise<boolean>;
  /** The folder of the store; absent for a store that is not on a disk of this machine. */
  readonly folder?: (path: string) => string;
}

/** Tables of one site in a PostgreSQL, which several servers may use at the same time. */
const postgres: StoreScheme = {
  usage: 'postgres://USER@HOST/DATABASE?site=NAME',
  create: (_, { journal, clock, notify, stamps, calendar }, url) =>
    new PostgresStorage(url, {
      ...(journal && { journal }),
      ...(clock && { clock }),
      ...(calendar && { calendar }),
      stamps,
      onSiteMade: () => notify?.({ kind: 'created', path: describeStore(url) }),
      onUnsafe: (settings) => notify?.({ kind: 'unsafe', path: describeStore(url), settings }),
      onLost: (lost) => notify?.({ kind: 'lost-commits', path: describeStore(url), ...lost }),
    }),
  exists: (_, url) => holdsPostgresSite(url),
  migrate: (url, calendar) => migratePostgres(url, calendar && { calendar }),
};

/** Every kind of store, by the scheme of its URL. A new kind is one more entry. */
const schemes: Readonly<Record<string, StoreScheme>> = {
  level: {
    usage: 'level:PATH',
    create: (path, options) => (path === '' ? undefined : new LevelStorage(path, options)),
    exists: (path) => LevelStorage.exists(path),
    repair: (path) => LevelStorage.repair(path),
    folder: (path) => path,
  },
  memory: {
    usage: 'memory:',
    create: (path, { journal, stamps }) => (path === '' ? new MemoryStorage({ journal, stamps }) : undefined),
    exists: () => Promise.resolve(true),
  },
  postgres,
  postgresql: postgres,
};

const URL_SHAPE = /^([a-z]+):(.*)$/s;

/**
 * Makes the storage of a URL, closed.
 *
 * @throws {TallybookError} `INVALID_OPTION` if there is no such kind of store.
 */
export function createStorage(url: string, options: StoreOptions = {}): FullStorage {
  const { scheme, path } = parseStoreUrl(url);
  const storage = scheme?.create(path, options, url);
  if (storage === undefined) throw invalid(url);
  return storage;
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

/** Checks that a store exists, for commands that read one. If not, rejects with `STORE_UNAVAILABLE` and the path. */
export async function requireStore(url: string): Promise<void> {
  const { scheme, path } = parseStoreUrl(url);
  if ((await scheme?.exists(path, url)) === false) {
    const place = describeStore(url).replace(/^level:/, '');
    const message = `there is no store at ${place}; choose it with --store`;
    throw new TallybookError('STORE_UNAVAILABLE', message, { details: { path } });
  }
}

/**
 * Repairs the store of a URL. Rejects with `INVALID_OPTION` if this kind of store is not repaired by this program, with
 * `STORE_UNAVAILABLE` if there is no such store, and with the errors of opening it.
 */
export async function repairStore(url: string): Promise<RepairReport> {
  const { scheme, path } = parseStoreUrl(url);
  if (scheme?.repair === undefined) {
    throw invalidOption(`only a store on a disk can be repaired; got ${quote(describeStore(url))}`);
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
  throw invalidOption(
    `only a PostgreSQL is migrated by a command, other stores when they are opened; got ${quote(describeStore(url))}`,
  );
}

function parseStoreUrl(url: string): { readonly scheme: StoreScheme | undefined; readonly path: string } {
  const [, scheme = '', path = ''] = URL_SHAPE.exec(url) ?? [];
  return { scheme: Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined, path };
}

function invalid(url: string): TallybookError {
  const usages = [...new Set(Object.values(schemes))].map(({ usage }) => usage);
  return invalidOption(`a store is one of ${usages.join(', ')}; got ${quote(describeStore(url))}`);
}
