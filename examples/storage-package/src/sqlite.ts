import { invalidOption } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';

/** What this package uses of `node:sqlite`. With the types of Node 22, import them instead. */
interface Sqlite {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Connection;
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type Value = string | number | null;

interface Statement {
  all(...values: readonly Value[]): unknown[];
  get(...values: readonly Value[]): unknown;
  run(...values: readonly Value[]): { readonly changes: number | bigint };
}

/** @throws {TallybookError} `INVALID_OPTION` if this Node has no SQLite. */
export function requireSqlite(): Sqlite {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite !== undefined) return sqlite as Sqlite;
  throw invalidOption(`it needs node:sqlite, of Node 22.13 or later; this is Node ${process.versions.node}`);
}

/** The rows of one connection, as the caller says that they are. Each statement is prepared once. */
export class Rows {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  all<R>(sql: string, ...values: readonly Value[]): readonly R[] {
    return this.#statement(sql).all(...values) as R[];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  one<R>(sql: string, ...values: readonly Value[]): R | undefined {
    return this.#statement(sql).get(...values) as R | undefined;
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** The value of a counter, 0 at first. Revisions and cursors are counters. */
  counter(name: string): number {
    return this.one<{ value: number }>('SELECT value FROM counters WHERE name = ?', name)?.value ?? 0;
  }

  setCounter(name: string, value: number): void {
    this.run('INSERT OR REPLACE INTO counters VALUES (?, ?)', name, value);
  }

  /** Counts on, and returns the new value. */
  count(name: string): number {
    const value = this.counter(name) + 1;
    this.setCounter(name, value);
    return value;
  }

  text(name: string): string | undefined {
    return this.one<{ value: string }>('SELECT value FROM texts WHERE name = ?', name)?.value;
  }

  setText(name: string, value: string): void {
    this.run('INSERT OR REPLACE INTO texts VALUES (?, ?)', name, value);
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** What JSON says. @throws {TallybookError} `STORE_CORRUPT` if it cannot be read. */
export function decoded<T>(text: string, read: (value: unknown) => T): T {
  try {
    return read(JSON.parse(text));
  } catch (cause) {
    throw new TallybookError('STORE_CORRUPT', 'a row of the database is damaged', { cause });
  }
}

type StoreCode = Extract<TallybookError['code'], `STORE_${string}`>;

type Codes = Readonly<Record<number, StoreCode>>;

const CORRUPT: Codes = { 11: 'STORE_CORRUPT', 26: 'STORE_CORRUPT' };
/** Primary result codes of SQLite: BUSY, CORRUPT, NOTADB. */
export const OPENING: Codes = { ...CORRUPT, 5: 'STORE_LOCKED' };

/** Runs statements, with errors of SQLite as errors of the store. Other errors stay as they are. */
export function translating<T>(otherwise: StoreCode, work: () => T, codes: Codes = CORRUPT): T {
  try {
    return work();
  } catch (cause) {
    const { code, errcode = 0 } = Object(cause) as { readonly code?: unknown; readonly errcode?: number };
    if (code !== 'ERR_SQLITE_ERROR' && code !== 'ERR_INVALID_STATE') throw cause;
    // The low byte: the rest says more about the same kind of failure.
    throw new TallybookError(codes[errcode & 0xff] ?? otherwise, `SQLite: ${(cause as Error).message}`, {
      cause,
    });
  }
}
