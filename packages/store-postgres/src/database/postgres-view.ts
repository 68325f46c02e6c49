import type { Connection } from '../connection/connections.js';
import { toReadError } from '../connection/postgres-errors.js';
import type { Queryable } from '../connection/session.js';
import { selectSite, type SiteRow } from './site-statements.js';

/** The data of a site at one moment, on a connection of its own. */
export class PostgresView implements AsyncDisposable {
  /** The row of the site at that moment. */
  readonly row: SiteRow;
  readonly #connection: Connection;
  readonly #target: string;
  readonly #onDisposed: (view: PostgresView) => void;
  #isOver = false;

  private constructor(
    row: SiteRow,
    connection: Connection,
    target: string,
    onDisposed: (view: PostgresView) => void,
  ) {
    this.row = row;
    this.#connection = connection;
    this.#target = target;
    this.#onDisposed = onDisposed;
  }

  static async of(
    connection: Connection,
    { site, target }: { readonly site: string; readonly target: string },
    onDisposed: (view: PostgresView) => void,
  ): Promise<PostgresView> {
    try {
      // The first statement decides the moment.
      const [, [row]] = await Promise.all([
        connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
        connection.query<SiteRow>(selectSite, [site]),
      ]);
      if (row === undefined) throw new Error('there is no such site any more');
      return new PostgresView(row, connection, target, onDisposed);
    } catch (error) {
      connection.abandon();
      throw error;
    }
  }

  /** Rejects with `STORE_READ_FAILED`, also if the view was disposed of, or its store was closed. */
  async read<T>(work: (connection: Queryable) => Promise<T>): Promise<T> {
    try {
      if (this.#isOver) throw new Error('the snapshot was disposed of, or its store was closed');
      return await work(this.#connection);
    } catch (error) {
      throw toReadError(this.#target, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    try {
      await this.#connection.query('ROLLBACK');
      this.#connection.release();
    } catch {
      this.#connection.destroy();
    } finally {
      this.#onDisposed(this);
    }
  }
}
