import { quote, TallybookError, type DayStore, type MappingStore } from '@tallybook/domain';
import { LevelDatabase, LevelDayStore, LevelMappingStore } from '@tallybook/store-level';
import { MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';

export interface Stores {
  readonly mapping: MappingStore;
  readonly days: DayStore;
}

interface StoreScheme {
  readonly usage: string;
  readonly create: (path: string) => Stores | undefined;
  /** Whether there is something to read; asked before a command that must not begin a new store. */
  readonly exists: (path: string) => Promise<boolean>;
}

/** Every kind of store, by the scheme of its URL. Adding one is adding an entry. */
const schemes: Readonly<Record<string, StoreScheme>> = {
  level: {
    usage: 'level:PATH',
    create: (path) => {
      if (path === '') return undefined;
      const database = new LevelDatabase(path);
      return { mapping: new LevelMappingStore(database), days: new LevelDayStore(database) };
    },
    exists: (path) => LevelDatabase.exists(path),
  },
  memory: {
    usage: 'memory:',
    create: (path) =>
      path === '' ? { mapping: new MemoryMappingStore(), days: new MemoryDayStore() } : undefined,
    exists: () => Promise.resolve(true),
  },
};

const URL_SHAPE = /^([a-z]+):(.*)$/s;

/**
 * Makes the stores that a URL names, closed.
 *
 * @throws {TallybookError} `INVALID_OPTION` if there is no such kind of store.
 */
export function createStores(url: string): Stores {
  const { scheme, path } = parseStoreUrl(url);
  const stores = scheme?.create(path);
  if (stores === undefined) throw invalid(url);
  return stores;
}

/**
 * Checks that a store exists, for commands that read one. Rejects with `STORE_UNAVAILABLE` naming the path if it does
 * not.
 */
export async function requireStore(url: string): Promise<void> {
  const { scheme, path } = parseStoreUrl(url);
  if ((await scheme?.exists(path)) === false) {
    throw new TallybookError('STORE_UNAVAILABLE', `there is no store at ${path}`, { details: { path } });
  }
}

function parseStoreUrl(url: string): { readonly scheme: StoreScheme | undefined; readonly path: string } {
  const [, scheme = '', path = ''] = URL_SHAPE.exec(url) ?? [];
  return { scheme: Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined, path };
}

function invalid(url: string): TallybookError {
  const usages = Object.values(schemes).map(({ usage }) => usage);
  return new TallybookError('INVALID_OPTION', `a store is one of ${usages.join(', ')}; got ${quote(url)}`);
}
