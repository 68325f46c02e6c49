import type { Connection } from '../connection/connections.js';
import { toReadError } from '../connection/postgres-errors.js';
import type { PostgresTarget } from '../connection/postgres-url.js';
import { describeTarget } from '../connection/postgres-url.js';
import type { SiteRows } from '../connection/session.js';
import { selectSite, type SiteRow } from './site-statements.js';

/** The data of a site at one moment, on a connection of its own. */
export class PostgresView implements SiteRows, AsyncDisposable {
  readonly #connection: Connection;
  readonly #target: PostgresTarget;
  readonly #onDisposed: (view: PostgresView) => void;
  #isOver = false;

  private constructor(
    connection: Connection,
    target: PostgresTarget,
    onDisposed: (view: PostgresView) => void,
  ) {
    this.#connection = connection;
    this.#target = target;
    this.#onDisposed = onDisposed;
  }

  static async of(
    connection: Connection,
    target: PostgresTarget,
    onDisposed: (view: PostgresView) => void,
  ): Promise<PostgresView> {
    try {
      // The first statement decides the moment.
      const [, [row]] = await Promise.all([
        connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
        connection.query<SiteRow>(selectSite, [target.site]),
      ]);
      if (row === undefined) throw new Error('there is no such site any more');
      return new PostgresView(connection, target, onDisposed);
    } catch (error) {
      connection.abandon();
      throw error;
    }
  }

  /** Rejects with `STORE_READ_FAILED`, also if the view was disposed of, or its store was closed. */
  async rows<R extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly R[]> {
    try {
      if (this.#isOver) throw new Error('the snapshot was disposed of, or its store was closed');
      return await this.#connection.query(statement, [this.#target.site, ...values]);
    } catch (error) {
      throw toReadError(describeTarget(this.#target), error);
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
