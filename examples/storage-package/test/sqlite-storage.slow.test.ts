import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseTallyId } from '@tallybook/domain';
import {
  proveStorage,
  type ProvenOptions,
  type StorageFaults,
  type StorageSubject,
} from '@tallybook/testing';
import { adapters, SqliteStorage } from '@tallybook-examples/storage-package';
import { requireSqlite } from '../src/sqlite.js';

const CANNOT_RUN = 'this version of Node has no node:sqlite';
const sqlite = process.getBuiltinModule('node:sqlite') as
  | { readonly DatabaseSync: Prototype; readonly StatementSync: Prototype }
  | undefined;

interface Prototype {
  readonly prototype: Record<string, (...args: readonly unknown[]) => unknown>;
}

/** Calls `before` before each call of some methods, until the returned function is called. */
function watch(
  methods: readonly (readonly [Prototype | undefined, string])[],
  before: (sql: unknown) => void,
): () => void {
  const repairs = methods.map(([type, name]) => {
    const prototype = type?.prototype ?? {};
    const original = prototype[name];
    prototype[name] = function (this: unknown, ...args: readonly unknown[]): unknown {
      before(args[0]);
      return original && Reflect.apply(original, this, args);
    };
    return () => void (original && (prototype[name] = original));
  });
  return () => repairs.forEach((repair) => repair());
}

function ioError(): Error {
  return Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
}

function faultsOf(storage: () => SqliteStorage): StorageFaults {
  const { DatabaseSync, StatementSync } = sqlite ?? {};
  return {
    failAt: (write) => {
      let left = write;
      return watch(
        [
          [DatabaseSync, 'exec'],
          [StatementSync, 'run'],
        ],
        (sql) => {
          if (sql !== 'ROLLBACK' && --left <= 0) throw ioError();
        },
      );
    },
    failReads: () =>
      watch(
        [
          [StatementSync, 'all'],
          [StatementSync, 'get'],
        ],
        () => {
          throw ioError();
        },
      ),
    openSnapshots: () => storage().views,
  };
}

/** The code with which an opening fails; `undefined` if it does not. */
async function codeOf(storage: SqliteStorage): Promise<unknown> {
  try {
    await storage.open();
    return undefined;
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  } finally {
    await storage.close();
  }
}

describe('a storage on node:sqlite', () => {
  before(function () {
    if (sqlite === undefined) this.skip(CANNOT_RUN);
  });

  let path: string;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'tallybook-sqlite-'));
  });

  afterEach(() => rm(path, { recursive: true }));

  proveStorage(
    { describe, it },
    {
      name: 'SqliteStorage',
      facets: ['mapping', 'days', 'journal', 'snapshots', 'access', 'audit'],
      faults: ['failAt', 'failReads', 'openSnapshots'],
      make: onDisk,
    },
  );

  const at = (): string => join(path, 'data.db');

  it('is locked for others while it is open', async () => {
    await using storage = new SqliteStorage(at());
    await storage.open();
    expect(await codeOf(new SqliteStorage(at()))).to.equal('STORE_LOCKED');
    await storage.close();
    expect(await codeOf(new SqliteStorage(at()))).to.equal(undefined);
  });

  it('refuses a file that is no database, or one of another program, and leaves it as it is', async () => {
    await writeFile(at(), 'no database, but long enough to be looked at as one'.repeat(99));
    expect(await codeOf(new SqliteStorage(at()))).to.equal('STORE_CORRUPT');
    const other = join(path, 'other.db');
    const connection = new (requireSqlite().DatabaseSync)(other);
    connection.exec('CREATE TABLE theirs (id INTEGER)');
    connection.close();
    const before = await readFile(other);
    expect(await codeOf(new SqliteStorage(other))).to.equal('STORE_FORMAT_UNSUPPORTED');
    expect((await readFile(other)).equals(before)).to.equal(true);
  });

  it('cannot be opened in a folder that is not there', async () => {
    expect(await codeOf(new SqliteStorage(join(path, 'missing/data.db')))).to.equal('STORE_UNAVAILABLE');
  });

  it('removes changes that are older than its limit, and none whose time was not known', async () => {
    const clock = { now: () => 0 };
    await using storage = new SqliteStorage(at(), { clock, journal: { days: 1 } });
    await storage.open();
    const firstAfter = async (seconds: number): Promise<unknown> => {
      clock.now = () => seconds;
      await storage.mapping.put(parseTallyId('04A2B3C4D5'), { first: String(seconds), last: '' });
      const page = await storage.journal.read(0, 1);
      return page.isKnown ? page.entries[0]?.cursor : page.reason;
    };
    expect(await firstAfter(0)).to.equal(1);
    expect(await firstAfter(1_763_500_000)).to.equal(1);
    expect(await firstAfter(1_763_500_000 + 86_399)).to.equal(1);
    expect(await firstAfter(1_763_500_000 + 86_400)).to.equal('too-old');
    expect((await storage.journal.read(2, 9)).isKnown).to.equal(true);
  });

  async function onDisk(options: ProvenOptions): Promise<StorageSubject> {
    const folder = await mkdtemp(join(path, 'store-'));
    const file = join(folder, 'data.db');
    let storage = new SqliteStorage(file, options);
    return {
      storage,
      reopen: (others) => (storage = new SqliteStorage(file, others)),
      cleanup: () => storage.close(),
      faults: faultsOf(() => storage),
    };
  }
});

describe('the registration of SqliteStorage', () => {
  const [registration] = adapters;

  it('refuses a URL without a path, and a Node without SQLite', () => {
    const reason = sqlite === undefined ? 'it needs node:sqlite, of Node 22.13 or later' : 'it has no path';
    expect(() => registration?.kind === 'storage' && registration.make('sqlite:', {})).to.throw(reason);
  });
});
