import { randomBytes } from 'node:crypto';
import {
  ConsumerPositions,
  journalBounds,
  TallybookError,
  type Clock,
  type JournalBounds,
  type JournalLimits,
  type Subscribable,
} from '@tallybook/domain';
import { Connections } from '../connection/connections.js';
import { isLost, toOpenError, toReadError } from '../connection/postgres-errors.js';
import {
  describeTarget,
  parsePostgresUrl,
  type Environment,
  type PostgresTarget,
} from '../connection/postgres-url.js';
import type { Queryable } from '../connection/statement.js';
import { readFormat, requireFormat } from '../schema/format.js';
import { requireCalendar, type SiteCalendar } from '../schema/site-calendar.js';
import { ErasureKnowledge } from './erasure-knowledge.js';
import { PostgresView } from './postgres-view.js';
import type { SiteRow } from './site-row.js';
import { SiteWatch } from './site-watch.js';
import { deleteOldWriters, insertSite, selectSite } from './statements.js';
import type { Transaction } from './transaction.js';
import type { Batch } from './writer/batch.js';
import { PostgresWriter } from './writer/postgres-writer.js';

export interface PostgresDatabaseOptions {
  /** Limits of the journal. */
  readonly journal?: JournalLimits;
  /** Default: the clock of the system. */
  readonly clock?: Pick<Clock, 'now'>;
  /** How long a write is tried again while the database is away, in milliseconds, 0..60000, default 5000. */
  readonly retryMs?: number;
  /** Called when the site was not there and was made: its name may be misspelt. */
  readonly onSiteMade?: (() => void) | undefined;
  /**
   * Called with the settings of the server, such as `fsync`, with which a power cut can damage the database or lose acknowledged
   * data: at the opening, and when the list changes. It may be empty.
   */
  readonly onUnsafe?: ((settings: readonly string[]) => void) | undefined;
  /** Decides the day of a tap. Opening rejects with `STORE_UNAVAILABLE` if the site has another one. Default: it is not checked. */
  readonly calendar?: SiteCalendar;
  /** Default: `process.env`. */
  readonly environment?: Environment;
}

const RETRY_MS = { lowest: 0, highest: 60_000 } as const;
export const DEFAULT_RETRY_MS = 5_000;
/** Connections for reads. */
export const READERS = 8;
/** Connections for snapshots, each of which takes one as long as it is read. */
export const VIEWS = 16;
/** A transaction of a server that has gone silent ends, so that others can write. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** After so long without a write, no server asks any more whether its latest transaction happened: 30 days. */
const WRITER_SECONDS = 30 * 86_400;
/** A connection may have been lost since it was last used, and the next one too. */
const READ_TRIES = 3;

interface OpenDatabase {
  readonly readers: Connections;
  readonly views: Connections;
  readonly writers: Connections;
  readonly writer: PostgresWriter;
}

/**
 * The record of one site in a PostgreSQL, shared by the stores that are made with it.
 *
 * The first store that opens connects, the last one that closes closes the connections. Other servers may use the same site at
 * the same time. When the database is away, reads reject with `STORE_READ_FAILED` and, after `retryMs`, writes with
 * `STORE_WRITE_FAILED`; both go on by themselves when it is back.
 */
export class PostgresDatabase {
  /** First column of every key. */
  readonly site: string;
  /** The positions of consumers of the journal, since the opening. */
  readonly positions: ConsumerPositions = new ConsumerPositions();
  /** Which tags were erased. */
  readonly erasures: ErasureKnowledge = new ErasureKnowledge();
  readonly #target: PostgresTarget;
  readonly #onSiteMade: (() => void) | undefined;
  readonly #calendar: SiteCalendar | undefined;
  readonly #onUnsafe: (settings: readonly string[]) => void;
  readonly #name: string;
  readonly #options: JournalBounds & { readonly retryMs: number; readonly now: () => number };
  readonly #watch: SiteWatch = new SiteWatch(() => this.readRow());
  readonly #openViews = new Set<PostgresView>();
  #open: OpenDatabase | undefined;
  #users = 0;
  #transitions: Promise<unknown> = Promise.resolve();

  /**
   * @param url `postgres://USER@HOST:PORT/DATABASE?site=NAME&sslmode=MODE`, see {@link parsePostgresUrl}.
   * @throws {TallybookError} `INVALID_OPTION` for another URL.
   * @throws {RangeError} if an option is out of range.
   */
  constructor(url: string, options: PostgresDatabaseOptions = {}) {
    const { clock, retryMs = DEFAULT_RETRY_MS, environment = process.env, onSiteMade } = options;
    let unsafe: readonly string[] = [];
    this.#onUnsafe = (settings) => {
      if (settings.join() !== unsafe.join()) options.onUnsafe?.(settings);
      unsafe = settings;
    };
    if (!(retryMs >= RETRY_MS.lowest && retryMs <= RETRY_MS.highest)) {
      throw new RangeError(`retryMs is from ${RETRY_MS.lowest} to ${RETRY_MS.highest}; got ${retryMs}`);
    }
    this.#target = parsePostgresUrl(url, environment);
    this.#name = describeTarget(this.#target);
    this.site = this.#target.site;
    this.#onSiteMade = onSiteMade;
    this.#calendar = options.calendar;
    const now = clock === undefined ? () => Math.floor(Date.now() / 1_000) : () => clock.now();
    this.#options = { ...journalBounds(options.journal ?? {}), retryMs, now };
  }

  /** Its URL without the password, for messages. */
  get name(): string {
    return this.#name;
  }

  /** Emits when there is more in the journal, whoever wrote it. */
  get appended(): Subscribable<void> {
    return this.#watch.appended;
  }

  /** Emits the row of the site when anything has changed, by any server. */
  get changed(): Subscribable<SiteRow> {
    return this.#watch.changed;
  }

  /** Connects for one more user. */
  acquire(): Promise<void> {
    return this.#enqueue(async () => {
      if (this.#users === 0) await this.#connect();
      this.#users++;
    });
  }

  /** Closes the connections if this user was the last one. */
  release(): Promise<void> {
    return this.#enqueue(async () => {
      this.#users--;
      if (this.#users === 0) await this.#disconnect();
    });
  }

  /**
   * Reads, again if the connection is lost. Rejects with `STORE_READ_FAILED` or `STORE_CORRUPT`.
   *
   * @param work Changes nothing. What it reads with several statements may be of several moments: see {@link view}.
   */
  async read<T>(work: (connection: Queryable) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#readOnce(work);
      } catch (error) {
        if (tries === READ_TRIES || !isLost(error)) throw toReadError(this.#name, error);
      }
    }
  }

  /** Reads the row of the site. */
  readRow(): Promise<SiteRow> {
    return this.read(async (connection) => {
      const [row] = await connection.query<SiteRow>(selectSite, [this.site]);
      if (row === undefined) throw new Error('there is no such site any more');
      return row;
    });
  }

  /** The data of the site at this moment. The caller disposes of it. */
  async view(): Promise<PostgresView> {
    for (let tries = 1; ; tries++) {
      try {
        const connection = await this.#opened.views.take();
        const { site } = this;
        const view = await PostgresView.of(connection, { site, target: this.#name }, (each) =>
          this.#openViews.delete(each),
        );
        this.#openViews.add(view);
        return view;
      } catch (error) {
        if (tries === READ_TRIES || !isLost(error)) throw toReadError(this.#name, error);
      }
    }
  }

  /**
   * Writes durably: decides, changes, and tells the journal in one transaction, with other writes that wait. Rejects with
   * `STORE_WRITE_FAILED`, `STORE_READ_FAILED` or `STORE_CORRUPT`; after the first of them it may have happened all the same.
   *
   * @param work May be called again, so it changes nothing but rows.
   * @param rows About how many rows it changes.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, rows = 3): Promise<T> {
    return this.submit<undefined, T>(async (transaction) => [await work(transaction)], undefined, rows);
  }

  /**
   * Like {@link write}, for items that are written together with others of their kind, see {@link Batch}.
   *
   * @param key A second call with it, after `STORE_WRITE_FAILED`, gets the result of the first one if that was written after all.
   */
  submit<I, O>(batch: Batch<I, O>, item: I, rows = 3, key?: string): Promise<O> {
    return this.#opened.writer.submit(batch, item, rows, key);
  }

  get #opened(): OpenDatabase {
    if (this.#open === undefined)
      throw new TallybookError('NOT_OPEN', 'the database is closed; open a store of it');
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
      else connection.destroy();
    }
  }

  async #connect(): Promise<void> {
    const common = { idleInTransactionMs: IDLE_IN_TRANSACTION_MS, onUnsafe: this.#onUnsafe };
    const [readers, views, writers] = [
      new Connections(this.#target, { ...common, most: READERS }),
      new Connections(this.#target, { ...common, most: VIEWS, idleInTransactionMs: 0 }),
      new Connections(this.#target, { ...common, most: 1 }),
    ];
    const options = { ...this.#options, site: this.site, target: this.#name, erasures: this.erasures };
    const writer = new PostgresWriter(writers, this.positions, options, (row) => this.#watch.see(row));
    this.#open = { readers, views, writers, writer };
    try {
      this.#watch.start(await this.#readOnce((connection) => this.#prepareSite(connection)));
    } catch (error) {
      await this.#disconnect();
      throw toOpenError(this.#name, error);
    }
  }

  async #prepareSite(connection: Queryable): Promise<SiteRow> {
    requireFormat(await readFormat(connection), this.#name);
    let [row] = await connection.query<SiteRow>(selectSite, [this.site]);
    if (row === undefined) {
      await connection.query(insertSite, [this.site, randomBytes(8).toString('hex')]);
      [row] = await connection.query<SiteRow>(selectSite, [this.site]);
      this.#onSiteMade?.();
    }
    if (row === undefined) throw new Error(`the site ${this.site} cannot be made`);
    if (this.#calendar !== undefined) await requireCalendar(connection, this.site, this.#calendar);
    await connection.query(deleteOldWriters, [this.site, WRITER_SECONDS]);
    return row;
  }

  async #disconnect(): Promise<void> {
    this.#watch.stop();
    const { readers, views, writers } = this.#opened;
    for (const view of this.#openViews) await view[Symbol.asyncDispose]();
    await Promise.all([readers.close(), views.close(), writers.close()]);
    this.positions.clear();
    this.#open = undefined;
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    const done = this.#transitions.then(step);
    this.#transitions = done.catch(() => undefined);
    return done;
  }
}
