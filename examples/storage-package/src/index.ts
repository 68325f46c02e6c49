import {
  invalidOption,
  REGISTRATION_VERSION,
  type Registration,
  type StorageRegistration,
} from '@tallybook/devices';
import { requireSqlite } from './sqlite.js';
import { SqliteStorage } from './sqlite-storage.js';

export { SqliteStorage } from './sqlite-storage.js';

const SCHEME = 'sqlite:';

const sqliteStorage: StorageRegistration = {
  kind: 'storage',
  version: REGISTRATION_VERSION,
  scheme: 'sqlite',
  usage: 'sqlite:PATH',
  settings: { PATH: { help: 'file of the database; it is made at the first start' } },
  make(url, { journal, clock }) {
    requireSqlite();
    const path = url.slice(SCHEME.length);
    if (path === '') throw invalidOption('it has no path, such as sqlite:./data.db');
    return new SqliteStorage(path, { ...(journal && { journal }), ...(clock && { clock }) });
  },
};

/** What `tallybook serve --use` takes. */
export const adapters: readonly Registration[] = [sqliteStorage];
