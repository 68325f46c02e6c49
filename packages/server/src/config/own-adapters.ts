import {
  invalidOption,
  REGISTRATION_VERSION,
  type Registration,
  type StorageDependencies,
  type StorageRegistration,
} from '@tallybook/devices';
import { quote, type Storage } from '@tallybook/domain';
import type { AccessFacets } from '@tallybook/domain/access';
import type { PersonalFacets } from '@tallybook/domain/personal';
import type { RecordFacets } from '@tallybook/domain/record';
import type { SyncFacets } from '@tallybook/domain/sync';
import { indicators, publishers } from '@tallybook/outputs';
import { readers } from '@tallybook/readers';
import {
  LevelStorage,
  type LevelStorageOptions,
  type RepairReport,
  type StoreNotice as LevelNotice,
} from '@tallybook/store-level';
import { MemoryStorage } from '@tallybook/store-memory';
import {
  holdsPostgresSite,
  migratePostgres,
  PostgresStorage,
  type LostCommits,
  type MigrationReport,
  type SiteCalendar,
} from '@tallybook/store-postgres';
import { oidc } from './own-identity.js';

export type { MigrationReport, RepairReport, SiteCalendar };

/** A storage of the program: it has all facets. */
export type FullStorage = Storage &
  Required<Pick<Storage, 'people' | 'provisional' | 'receipts'>> &
  RecordFacets &
  AccessFacets &
  PersonalFacets &
  SyncFacets;

/** Options of stores, such as their reaction to damage at the opening, and the limits of their journal. */
export interface StoreOptions
  extends StorageDependencies, Pick<LevelStorageOptions, 'repairsDamage' | 'onOpening'> {
  /** Called with notices. Must not throw. */
  readonly notify?: (notice: StoreNotice) => void;
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

/** How a store goes back to the state that it had before its present format. Both reject with `STORE_UNAVAILABLE` if that is gone. */
export interface FormerState {
  /** Rejects with `STORE_UNAVAILABLE` and the reason if there is none. */
  readonly require: (path: string) => Promise<void>;
  /** Does work with an open storage that has that state. */
  readonly read: <T>(path: string, work: (former: FullStorage) => Promise<T>) => Promise<T>;
  readonly putBack: (path: string) => Promise<void>;
}

/** A storage of the program. Commands can do more with it than with a third-party one. */
export interface OwnStorage extends StorageRegistration {
  make(url: string, options: StoreOptions): FullStorage;
  /** Repairs a damaged store, and saves all readable data; absent for stores that this program cannot repair. */
  readonly repair?: (path: string) => Promise<RepairReport>;
  /** Who repairs it, if that is never this program. */
  readonly repairedBy?: string;
  /** Goes back to the state before the present format; absent for stores that are put back by other means. */
  readonly former?: FormerState;
  /** By what it is put back instead, for people. */
  readonly putBackBy?: string;
  /** Makes its tables; absent if opening makes them. */
  readonly migrate?: (url: string, calendar: SiteCalendar | undefined) => Promise<MigrationReport>;
  /** Whether the store exists. Called before a command that must not begin a new store. */
  readonly exists: (path: string, url: string) => Promise<boolean>;
  /** The folder of the store; absent for a store that is not on a disk of this machine. */
  readonly folder?: (path: string) => string;
}

/** The URL of a store without a password, so that it may be shown and logged. */
export function describeStore(url: string): string {
  // Up to the last @: a password may contain unescaped characters.
  return url.replace(/^([^:/?#@]*:\/\/[^:/@]*):.*@/s, '$1@').replace(/([?&][^=&]*password=)[^&]*/gi, '$1…');
}

/** The path of a URL. @throws {TallybookError} `INVALID_OPTION` if it is missing, or if there is one where none belongs. */
function pathOf(url: string, usage: string, isNeeded: boolean): string {
  const path = url.slice(url.indexOf(':') + 1);
  if ((path !== '') === isNeeded) return path;
  throw invalidOption(`this store is ${usage}; got ${quote(describeStore(url))}`);
}

const level: OwnStorage = {
  ...{ kind: 'storage', version: REGISTRATION_VERSION, scheme: 'level', usage: 'level:PATH' },
  make: (url, options) => new LevelStorage(pathOf(url, 'level:PATH', true), options),
  exists: (path) => LevelStorage.exists(path),
  repair: (path) => LevelStorage.repair(path),
  former: {
    require: (path) => LevelStorage.requireFormer(path),
    read: (path, work) => LevelStorage.withFormer(path, work),
    putBack: (path) => LevelStorage.rollBack(path),
  },
  folder: (path) => path,
};

const memory: OwnStorage = {
  ...{ kind: 'storage', version: REGISTRATION_VERSION, scheme: 'memory', usage: 'memory:' },
  make: (url, { journal, stamps }) => {
    pathOf(url, 'memory:', false);
    return new MemoryStorage({ journal, stamps });
  },
  exists: () => Promise.resolve(true),
};

/** Tables of one site in a PostgreSQL, which several servers may use at the same time. */
const postgres: OwnStorage = {
  ...{ kind: 'storage', version: REGISTRATION_VERSION, scheme: 'postgres' },
  usage: 'postgres://USER@HOST/DATABASE?site=NAME',
  make: (url, { journal, clock, notify, stamps, calendar }) =>
    new PostgresStorage(url, {
      ...(journal && { journal }),
      ...(clock && { clock }),
      ...(calendar && { calendar }),
      stamps,
      onSiteMade: () => notify?.({ kind: 'created', path: describeStore(url) }),
      onUnsafe: (settings) => notify?.({ kind: 'unsafe', path: describeStore(url), settings }),
      onLost: (lost) => notify?.({ kind: 'lost-commits', path: describeStore(url), ...lost }),
    }),
  putBackBy:
    'a PostgreSQL is put back from its own backup: see "restore it to a point in time" in the documentation',
  repairedBy: 'a PostgreSQL is repaired by its own means',
  exists: (_, url) => holdsPostgresSite(url),
  migrate: (url, calendar) => migratePostgres(url, calendar && { calendar }),
};

export const ownStores: readonly OwnStorage[] = [
  level,
  memory,
  postgres,
  { ...postgres, scheme: 'postgresql' },
];

export const DEFAULT_STORE = 'level:./tallybook-data';
export const DEFAULT_READER = 'stdin:';

/** The adapters that the program brings along. A new one is one more entry; nothing else in the settings and the wiring names one. */
export const ownAdapters: readonly Registration[] = [
  ...readers,
  ...indicators,
  ...publishers,
  ...ownStores,
  oidc,
];
