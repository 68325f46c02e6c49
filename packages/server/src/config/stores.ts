import { invalidOption, type ServedStorage, type StorageRegistration } from '@tallybook/devices';
import { quote, TallybookError } from '@tallybook/domain';
import type { Adapters } from './adapters.js';
import {
  describeStore,
  ownStores,
  type FormerState,
  type FullStorage,
  type MigrationReport,
  type OwnStorage,
  type RepairReport,
  type SiteCalendar,
  type StoreOptions,
} from './own-adapters.js';

export {
  describeStore,
  type FullStorage,
  type RepairReport,
  type StoreNotice,
  type StoreOptions,
} from './own-adapters.js';

const URL_SHAPE = /^([a-z][a-z0-9+.-]*):(.*)$/s;

/**
 * Makes the storage of a URL, closed. It is one of the program.
 *
 * @throws {TallybookError} `INVALID_OPTION` if there is no such kind of store.
 */
export function createStorage(url: string, options: StoreOptions = {}): FullStorage {
  return schemeOf(ownStores, url).make(url, options);
}

/**
 * Makes the storage of a URL, closed. It may be a third-party one.
 *
 * @throws {TallybookError} `INVALID_OPTION` if there is no such kind of store.
 */
export function createServedStorage(
  { stores }: Pick<Adapters, 'stores'>,
  url: string,
  options: StoreOptions = {},
): ServedStorage {
  return schemeOf(stores, url).make(url, options);
}

function schemeOf<S extends StorageRegistration>(stores: readonly S[], url: string): S {
  const [, name] = URL_SHAPE.exec(url) ?? [];
  const found = stores.find(({ scheme }) => scheme === name);
  if (found !== undefined) return found;
  const usages = [...new Set(stores.map(({ usage }) => usage))];
  throw invalidOption(`a store is one of ${usages.join(', ')}; got ${quote(describeStore(url))}`);
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
    const place = scheme?.folder === undefined ? describeStore(url) : path;
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
    `this store is migrated when it is opened, not by a command; got ${quote(describeStore(url))}`,
  );
}

/**
 * How the store of a URL goes back, and its folder. Rejects with `INVALID_OPTION` if this kind of store is put back by other means, and
 * with `STORE_UNAVAILABLE` if there is no such store.
 */
export async function formerStateOf(
  url: string,
): Promise<{ readonly former: FormerState; readonly path: string }> {
  const { scheme, path } = parseStoreUrl(url);
  if (scheme?.former === undefined) {
    const how = scheme?.putBackBy ?? 'only a store on a disk can be rolled back';
    throw invalidOption(`${how}; got ${quote(describeStore(url))}`);
  }
  await requireStore(url);
  return { former: scheme.former, path };
}

/** Who repairs a store, if that is never this program; `undefined` if this program may. */
export function repairerOf(url: string): string | undefined {
  const { scheme } = parseStoreUrl(url);
  return scheme === undefined ? 'a third-party storage is repaired by its own means' : scheme.repairedBy;
}

function parseStoreUrl(url: string): { readonly scheme: OwnStorage | undefined; readonly path: string } {
  const [, name, path = ''] = URL_SHAPE.exec(url) ?? [];
  return { scheme: ownStores.find(({ scheme }) => scheme === name), path };
}
