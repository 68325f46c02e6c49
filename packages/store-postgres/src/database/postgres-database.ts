import { randomBytes } from 'node:crypto';
import {
  journalBounds,
  type Clock,
  type JournalBounds,
  type JournalLimits,
  type Subscribable,
} from '@tallybook/domain';
import { ConsumerPositions, StorageDatabase } from '@tallybook/domain/record';
import { Connections } from '../connection/connections.js';
import { isLost, toOpenError, toReadError } from '../connection/postgres-errors.js';
import {
  describeTarget,
  parsePostgresUrl,
  type Environment,
  type PostgresTarget,
} from '../connection/postgres-url.js';
import { Timelines, type Queryable, type SiteRows } from '../connection/session.js';
import { readFormat, requireFormat } from '../schema/format.js';
import { requireCalendar, type SiteCalendar } from '../schema/site-calendar.js';
import { ErasureKnowledge } from './erasure-knowledge.js';
import { PostgresView } from './postgres-view.js';
import { deleteOldWriters, insertSite, selectSite, type SiteRow } from './site-statements.js';
import { SiteWatch } from './site-watch.js';
import { tagDigests } from '../rows/erasure-rows.js';
import type { Transaction } from './transaction.js';
import type { Batch } from './writer/write-queue.js';
import type { LostCommits } from './writer/given-numbers.js';
import { PostgresWriter } from './writer/postgres-writer.js';

export interface PostgresDatabaseOptions {
  /** Limits of the journal. */
  readonly journal?: JournalLimits;
  /** Default: the clock of the system. */
  readonly clock?: Pick<Clock, 'now'>;
  /** How long a write is tried again while the database is away, in milliseconds, 0..60000, default 5000. */
  readonly retryMs?: number;
  /** Called when the site was missing and was made: its name may be misspelt. */
  readonly onSiteMade?: (() => void) | undefined;
  /**
   * Called with the unsafe settings of the server, such as `fsync`: with them, a power cut can damage the database or lose
   * acknowledged data. Called at the opening, and when the list changes. The list may be empty.
   */
  readonly onUnsafe?: ((settings: readonly string[]) => void) | undefined;
  /** Called when the database no longer has the last acknowledged write of this server, as after a failover to a late standby. */
  readonly onLost?: ((lost: LostCommits) => void) | undefined;
  /**
   * The calendar that decides the day of a tap. Opening rejects with `STORE_UNAVAILABLE` if the site has another calendar.
   * Default: it is not checked.
   */
  readonly calendar?: SiteCalendar;
  /** Default: `process.env`. */
  readonly environment?: Environment;
}

const RETRY_MS = { lowest: 0, highest: 60_000 } as const;
export const DEFAULT_RETRY_MS = 5_000;
/** Connections for reads. */
export const READERS = 8;
/** Connections for snapshots: a snapshot uses one as long as it is read. */
export const VIEWS = 16;
/** After this time the database ends the transaction of a silent server, so that others can write. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** After 30 days without a write, a server no longer asks whether its latest transaction happened. */
const WRITER_SECONDS = 30 * 86_400;
/** How often the hosts that are not in use are asked whether they have replaced the one in use, in milliseconds. */
const ASK_OTHERS_MS = 5_000;
/** Tries of a read: a connection may have been lost since its last use, and the next connection too. */
const READ_TRIES = 3;

/** A transaction that changes nothing, unless numbers have to be raised. */
function look(_: Transaction, items: readonly undefined[]): Promise<readonly undefined[]> {
  return Promise.resolve(items);
}

interface OpenDatabase {
  readonly readers: Connections;
  readonly views: Connections;
  readonly writers: Connections;
  readonly writer: PostgresWriter;
}

/**
 * The record of one site in a PostgreSQL, shared by the facets of a storage.
 *
 * Other servers may use the same site at the same time. While the database is away, reads reject with `STORE_READ_FAILED`, and writes with `STORE_WRITE_FAILED`
 * after `retryMs`. Both work again when the database is back.
 */
export class PostgresDatabase extends StorageDatabase implements SiteRows {
  /** First column of every key. */
  readonly site: string;
  /** Positions of the consumers of the journal that were set since the opening. */
  readonly positions: ConsumerPositions = new ConsumerPositions();
  /** Which tags were erased. */
  readonly erasures: ErasureKnowledge = new ErasureKnowledge();
  readonly #target: PostgresTarget;
  /** Its URL without the password, for messages. */
  readonly #name: string;
  readonly #options: PostgresDatabaseOptions;
  readonly #limits: JournalBounds & { readonly retryMs: number; readonly now: () => number };
  #unsafe: readonly string[] = [];
  readonly #watch: SiteWatch = new SiteWatch(() => this.readRow());
  readonly #timelines = new Timelines();
  #origin = '';
  #isLooking = false;
  #askingOthers: NodeJS.Timeout | undefined;
  readonly #openViews = new Set<PostgresView>();
  #open: OpenDatabase | undefined;

  /**
   * @param url `postgres://USER@HOST:PORT/DATABASE?site=NAME&sslmode=MODE`, see {@link parsePostgresUrl}.
   * @throws {TallybookError} `INVALID_OPTION` for another URL.
   * @throws {RangeError} if an option is out of range.
   */
  constructor(url: string, options: PostgresDatabaseOptions = {}) {
    super();
    const { clock, retryMs = DEFAULT_RETRY_MS, environment = process.env } = options;
    if (!(retryMs >= RETRY_MS.lowest && retryMs <= RETRY_MS.highest)) {
      throw new RangeError(`retryMs is from ${RETRY_MS.lowest} to ${RETRY_MS.highest}; got ${retryMs}`);
    }
    this.#target = parsePostgresUrl(url, environment);
    this.#name = describeTarget(this.#target);
    this.site = this.#target.site;
    this.#options = options;
    const now = clock === undefined ? () => Math.floor(Date.now() / 1_000) : () => clock.now();
    this.#limits = { ...journalBounds(options.journal ?? {}), retryMs, now };
  }

  /** The origin of the journal, known since the opening. It never changes. */
  get origin(): string {
    return this.#origin;
  }

  /** Number of views that were not disposed of. */
  get openViews(): number {
    return this.#openViews.size;
  }

  /** Emits when any server has added changes to the journal. */
  get appended(): Subscribable<void> {
    return this.#watch.appended;
  }

  /** Emits the row of the site when any server has changed anything. */
  get changed(): Subscribable<SiteRow> {
    return this.#watch.changed;
  }

  /**
   * Reads, and tries again if the connection is lost. Rejects with `STORE_READ_FAILED`. Two statements may read the data of
   * different moments: see {@link view}.
   */
  rows<R extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly R[]> {
    return this.read((connection) => connection.query<R>(statement, [this.site, ...values]));
  }

  /** Reads, as {@link rows} does. The work must change nothing. */
  read<T>(work: (connection: Queryable) => Promise<T>): Promise<T> {
    return this.#tryAgain(() => this.#readOnce(work));
  }

  /** Reads the row of the site. */
  async readRow(): Promise<SiteRow> {
    const { numbers } = this.#opened.writer;
    const { largestSeen } = numbers;
    const [row] = await this.rows<SiteRow>(selectSite);
    if (row === undefined) throw toReadError(this.#name, new Error('there is no such site any more'));
    numbers.see(row);
    if (row.revision < largestSeen) this.#lookForLost();
    return row;
  }

  /** The database has lost commits, or a server that was replaced has answered. A transaction finds out, and raises all numbers. */
  #lookForLost(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // If it fails, the next read begins another one.
    const end = (): void => {
      this.#isLooking = false;
    };
    this.submit(look, undefined).then(end, end);
  }

  /** The data of the site at this moment. The caller disposes of it. */
  view(): Promise<PostgresView> {
    return this.#tryAgain(async () => {
      const connection = await this.#opened.views.take();
      const view = await PostgresView.of(connection, this.#target, (each) => this.#openViews.delete(each));
      this.#openViews.add(view);
      return view;
    });
  }

  async #tryAgain<T>(read: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await read();
      } catch (error) {
        if (tries === READ_TRIES || !isLost(error)) throw toReadError(this.#name, error);
      }
    }
  }

  /**
   * Writes durably. Reads, changes and the journal are in one transaction, which also does other waiting writes. Rejects with
   * `STORE_WRITE_FAILED`, `STORE_READ_FAILED` or `STORE_CORRUPT`. After `STORE_WRITE_FAILED`, the write may still have happened.
   *
   * @param work May be called again, so it must change nothing except rows.
   * @param rows About how many rows it changes.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, rows = 3): Promise<T> {
    return this.submit<undefined, T>(async (transaction) => [await work(transaction)], undefined, rows);
  }

  /**
   * Writes like {@link write}, but an item is written together with others of its kind: see {@link Batch}.
   *
   * @param key Identifies the write. If a call rejects with `STORE_WRITE_FAILED` but was written, a second call with the same key
   * gets the result of the first one.
   */
  submit<I, O>(batch: Batch<I, O>, item: I, rows = 3, key?: string): Promise<O> {
    return this.#opened.writer.submit(batch, item, rows, key);
  }

  get #opened(): OpenDatabase {
    if (this.#open === undefined) throw this.notOpen();
    return this.#open;
  }

  async #readOnce<T>(work: (connection: Queryable) => Promise<T>): Promise<T> {
    const connection = await this.#opened.readers.take();
    let isReusable = false;
    try {
      const result = await work(connection);
      isReusable = true;
      return result;
    } catch (error) {
      isReusable = !isLost(error);
      throw error;
    } finally {
      if (isReusable) connection.release();
      else connection.abandon();
    }
  }

  protected override async connect(): Promise<void> {
    const common = {
      idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
      onUnsafe: (settings: readonly string[]) => this.#noteUnsafe(settings),
      timelines: this.#timelines,
    };
    const [readers, views, writers] = [
      new Connections(this.#target, { ...common, most: READERS }),
      new Connections(this.#target, { ...common, most: VIEWS, idleInTransactionMs: 0 }),
      new Connections(this.#target, { ...common, most: 1 }),
    ];
    const options = {
      ...this.#limits,
      site: this.site,
      target: this.#name,
      erasures: this.erasures,
      writerSeconds: WRITER_SECONDS,
      onLost: (lost: LostCommits) => this.#options.onLost?.(lost),
    };
    const writer = new PostgresWriter(writers, this.positions, options, (row) => this.#watch.see(row));
    this.#open = { readers, views, writers, writer };
    try {
      const row = await this.#readOnce((connection) => this.#prepareSite(connection));
      writer.numbers.see(row);
      this.#origin = row.origin;
      this.#watch.start(row);
      if (this.#target.hosts.length > 1) {
        const ask = (): void => void readers.askOthers();
        this.#askingOthers = setInterval(ask, ASK_OTHERS_MS).unref();
      }
    } catch (error) {
      await this.disconnect();
      throw toOpenError(this.#name, error);
    }
  }

  async #prepareSite(connection: Queryable): Promise<SiteRow> {
    requireFormat(await readFormat(connection), this.#name);
    let [row] = await connection.query<SiteRow>(selectSite, [this.site]);
    if (row === undefined) {
      const origin = randomBytes(8).toString('hex');
      await connection.query(insertSite, [this.site, origin, tagDigests.newKey()]);
      [row] = await connection.query<SiteRow>(selectSite, [this.site]);
      this.#options.onSiteMade?.();
    }
    if (row === undefined) throw new Error(`the site ${this.site} cannot be made`);
    const { calendar } = this.#options;
    if (calendar !== undefined) await requireCalendar(connection, this.site, calendar);
    await connection.query(deleteOldWriters, [this.site, WRITER_SECONDS]);
    return row;
  }

  #noteUnsafe(settings: readonly string[]): void {
    if (settings.join() !== this.#unsafe.join()) this.#options.onUnsafe?.(settings);
    this.#unsafe = settings;
  }

  protected override async disconnect(): Promise<void> {
    this.#watch.stop();
    clearInterval(this.#askingOthers);
    const { readers, views, writers } = this.#opened;
    for (const view of this.#openViews) await view[Symbol.asyncDispose]();
    await Promise.all([readers.close(), views.close(), writers.close()]);
    this.positions.clear();
    this.#open = undefined;
  }
}
