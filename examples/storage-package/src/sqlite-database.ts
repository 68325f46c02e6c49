import { randomBytes } from 'node:crypto';
import {
  Emitter,
  journalBounds,
  ManagedResource,
  TallybookError,
  type Change,
  type Cursor,
  type JournalLimits,
} from '@tallybook/domain';
import { OPENING, requireSqlite, Rows, translating, type Connection } from './sqlite.js';

export interface SqliteOptions {
  /** Limits of the journal. */
  readonly journal?: JournalLimits;
  /** Says 0 while the time is not trusted. Default: the system clock. */
  readonly clock?: { now(): number };
}

/** A number of this project, so that no other program's file is taken for a store. */
const APPLICATION = 0x7461_6c79;
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE texts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE names (id TEXT PRIMARY KEY, first TEXT NOT NULL, last TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE days (day INTEGER PRIMARY KEY);
  -- With row ids: they keep the order of recording.
  CREATE TABLE entries (day INTEGER, id TEXT, first INTEGER, last INTEGER, count INTEGER, UNIQUE (day, id));
  CREATE TABLE scans (day INTEGER, id TEXT, at INTEGER, flags INTEGER NOT NULL, PRIMARY KEY (day, id, at)) WITHOUT ROWID;
  CREATE TABLE changes (cursor INTEGER PRIMARY KEY, at INTEGER NOT NULL, scan_day INTEGER, change TEXT NOT NULL);
  CREATE INDEX changes_by_age ON changes (at);
  CREATE INDEX changes_of_day ON changes (scan_day) WHERE scan_day IS NOT NULL;
  CREATE TABLE positions (consumer TEXT PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE access (kind TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
  CREATE TABLE audit (number INTEGER PRIMARY KEY, entry TEXT NOT NULL);
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};`;

/** The connection that writes, with the transactions of all facets. SQLite works on this thread, one transaction after another. */
export class SqliteDatabase extends ManagedResource {
  readonly appended: Emitter<void> = new Emitter();
  /** Positions of consumers that the next commit writes. */
  readonly positions: Map<string, Cursor> = new Map();
  readonly #path: string;
  readonly #bounds: ReturnType<typeof journalBounds>;
  readonly #now: () => number;
  readonly #connections = new Set<Connection>();
  #connection: Connection | undefined;
  #rows: Rows | undefined;

  constructor(path: string, { journal = {}, clock }: SqliteOptions = {}) {
    super();
    this.#path = path;
    this.#bounds = journalBounds(journal);
    this.#now = clock === undefined ? () => Date.now() / 1_000 : () => clock.now();
  }

  /** Reads the latest state, or that of a snapshot. */
  read<T>(work: (rows: Rows) => T, rows: Rows | undefined = this.#rows): Promise<T> {
    return this.run(async () => {
      if (rows === undefined) throw this.notOpen();
      return translating('STORE_READ_FAILED', () => work(rows));
    });
  }

  /** Decides and writes in one transaction. `tell` adds a change to the journal. */
  write<T>(work: (rows: Rows, tell: (change: Change) => void) => T): Promise<T> {
    return this.run(async () => {
      const { hasTold, result } = this.#commit((rows) => {
        const before = rows.counter('journal');
        const result = work(rows, (change) => this.#append(rows, change));
        return { result, hasTold: rows.counter('journal') > before };
      });
      if (hasTold) this.appended.emit();
      return result;
    });
  }

  /** Opens a connection that sees the present state, whatever is written later. */
  view(): Promise<{ readonly rows: Rows; readonly close: () => void }> {
    return this.run(async () => {
      const open = (): Connection => this.#connect(this.#path, { readOnly: true });
      const connection = translating('STORE_READ_FAILED', open);
      const close = (): void => {
        if (this.#connections.delete(connection)) connection.close();
      };
      const rows = new Rows(connection);
      try {
        translating('STORE_READ_FAILED', () => {
          connection.exec('BEGIN');
          // The first read fixes the state.
          rows.counter('journal');
        });
      } catch (error) {
        close();
        throw error;
      }
      return { rows, close };
    });
  }

  /** The number of open views. */
  get views(): number {
    // The others are the one that writes, and the lock.
    return Math.max(this.#connections.size - 2, 0);
  }

  protected override async onOpen(): Promise<void> {
    try {
      translating('STORE_UNAVAILABLE', () => this.#open(), OPENING);
    } catch (error) {
      this.#closeAll();
      throw error;
    }
  }

  protected override async onClose(): Promise<void> {
    try {
      if (this.positions.size > 0) this.#commit(() => undefined);
    } finally {
      this.positions.clear();
      this.#closeAll();
    }
  }

  #open(): void {
    // A lock of its own, for as long as the store is open: the server counts on being the only one that writes.
    this.#connect(`${this.#path}-lock`).exec('BEGIN EXCLUSIVE');
    const connection = this.#connect(this.#path);
    this.#connection = connection;
    const rows = new Rows(connection);
    const isNew = rows.one('SELECT 1 FROM sqlite_schema') === undefined;
    if (!isNew) this.#requireFormat(rows);
    connection.exec('PRAGMA journal_mode = WAL');
    // Each commit waits for the disk.
    connection.exec('PRAGMA synchronous = FULL');
    if (isNew) connection.exec(`BEGIN; ${SCHEMA} COMMIT`);
    this.#rows = rows;
    if (rows.text('origin') === undefined) rows.setText('origin', randomBytes(8).toString('hex'));
  }

  /** Before anything is written: the file may be of another program. */
  #requireFormat(rows: Rows): void {
    const { id } = rows.one<{ id: number }>('SELECT application_id AS id FROM pragma_application_id') ?? {};
    const { version } =
      rows.one<{ version: number }>('SELECT user_version AS version FROM pragma_user_version') ?? {};
    if (id === APPLICATION && version === VERSION) return;
    const what = id === APPLICATION ? `version ${version}` : 'another program';
    throw new TallybookError('STORE_FORMAT_UNSUPPORTED', `the store ${this.#path} is of ${what}`);
  }

  #connect(path: string, options: { readonly readOnly?: boolean } = {}): Connection {
    const { DatabaseSync } = requireSqlite();
    const connection = new DatabaseSync(path, options);
    this.#connections.add(connection);
    return connection;
  }

  #closeAll(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections.clear();
    this.#rows = undefined;
    this.#connection = undefined;
  }

  #commit<T>(work: (rows: Rows) => T): T {
    const [connection, rows] = [this.#connection, this.#rows];
    if (connection === undefined || rows === undefined) throw this.notOpen();
    return translating('STORE_WRITE_FAILED', () => {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work(rows);
        for (const [consumer, cursor] of this.positions) {
          rows.run('INSERT OR REPLACE INTO positions VALUES (?, ?)', consumer, cursor);
        }
        connection.exec('COMMIT');
        this.positions.clear();
        return result;
      } catch (error) {
        try {
          connection.exec('ROLLBACK');
        } catch {
          // SQLite has rolled back already.
        }
        throw error;
      }
    });
  }

  /** Adds a change to the journal, and removes the oldest ones beyond its limits. */
  #append(rows: Rows, change: Change): void {
    const cursor = rows.count('journal');
    const day = change.kind === 'scan' ? change.day : null;
    const at = Math.floor(this.#now());
    rows.run('INSERT INTO changes VALUES (?, ?, ?, ?)', cursor, at, day, JSON.stringify(change));
    // A change at an unknown time, 0, is as old as the next one at a known time.
    const { old } = rows.one<{ old: Cursor | null }>(
      'SELECT max(cursor) AS old FROM changes WHERE at BETWEEN 1 AND ?',
      at - this.#bounds.seconds,
    ) ?? { old: null };
    // By cursors, so that it need not count: changes that went with their day take up room too. The latest one stays.
    const gone = Math.max(cursor - this.#bounds.limit, Math.min(old ?? 0, cursor - 1));
    if (rows.run('DELETE FROM changes WHERE cursor <= ?', gone) > 0) rows.setCounter('forgotten', gone);
  }
}

/** A part of the storage. It is open while the database is. */
export abstract class SqliteFacet {
  protected readonly database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.database = database;
  }
}
