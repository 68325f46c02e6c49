import { TallybookError } from '@tallybook/domain';
import { isConflict, sqlStateOf, toOpenError, toWriteError } from '../connection/postgres-errors.js';
import type { Queryable } from '../connection/session.js';
import { Connections, type Connection } from '../connection/connections.js';
import { describeTarget, parsePostgresUrl, type Environment } from '../connection/postgres-url.js';
import { latestFormat, readFormat } from './format.js';
import { migrations } from './migrations.js';
import { changeCalendar, type SiteCalendar } from './site-calendar.js';

/**
 * Codes of the error that another connection makes the same: unique violation in the catalogue; and duplicate schema, table, or
 * type of its rows.
 */
const MADE_MEANWHILE = ['23505', '42P06', '42P07', '42710'];
const TRIES = 5;

/** Runs a statement with `IF NOT EXISTS`. In PostgreSQL such a statement can fail if another connection runs it at the same time. */
export async function makeOnce(connection: Pick<Queryable, 'query'>, statement: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await connection.query(statement);
      return;
    } catch (error) {
      const isMade = MADE_MEANWHILE.includes(sqlStateOf(error) ?? '');
      if (tries === TRIES || !(isMade || isConflict(error))) throw error;
    }
  }
}

export interface MigrationOptions {
  /** Default: `process.env`. */
  readonly environment?: Environment;
  /** The new calendar of the site that the URL names; it replaces any former one. No server of the site may be running. */
  readonly calendar?: SiteCalendar;
}

/** Result of {@link migratePostgres}. */
export interface MigrationReport {
  /** 0 if there were no tables. */
  readonly from: number;
  readonly to: number;
}

const formatTable = [
  'CREATE SCHEMA IF NOT EXISTS tallybook',
  `CREATE TABLE IF NOT EXISTS tallybook.format (
    one boolean PRIMARY KEY,
    format bigint NOT NULL,
    compatible bigint NOT NULL
  )`,
  'INSERT INTO tallybook.format (one, format, compatible) VALUES (true, 0, 0) ON CONFLICT (one) DO NOTHING',
];

/**
 * Makes the tables of this version in a database, or changes those of an older version. It may be called again, by several
 * programs at the same time, and while servers of the version before run.
 *
 * @throws {TallybookError} `INVALID_OPTION` for another URL, `STORE_UNAVAILABLE` if the database cannot be reached,
 * `STORE_FORMAT_UNSUPPORTED` if its tables are those of a newer version, `STORE_WRITE_FAILED`.
 */
export async function migratePostgres(
  url: string,
  { environment = process.env, calendar }: MigrationOptions = {},
): Promise<MigrationReport> {
  const target = parsePostgresUrl(url, environment);
  const name = describeTarget(target);
  await using connections = new Connections(target, { most: 2, idleInTransactionMs: 0 });
  const connection = await connections.take().catch((error: unknown) => {
    throw toOpenError(name, error);
  });
  try {
    const report = await migrate(connection, () => connections.take(), name);
    if (calendar === undefined || (await changeCalendar(connection, target.site, calendar))) return report;
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `${name} has no such site: a server makes it when it starts`,
    );
  } catch (error) {
    throw toWriteError(name, error);
  } finally {
    connection.destroy();
  }
}

async function migrate(
  connection: Connection,
  another: () => Promise<Connection>,
  name: string,
): Promise<MigrationReport> {
  if ((await readFormat(connection)) === undefined) {
    for (const statement of formatTable) await makeOnce(connection, statement);
  }
  // A concurrent migration waits here. The statements run outside this transaction, because not every engine accepts them in one.
  await connection.query('BEGIN');
  await connection.query('SELECT format FROM tallybook.format FOR UPDATE');
  const { format: from = 0, compatible = 0 } = (await readFormat(connection)) ?? {};
  if (compatible > latestFormat()) {
    throw new TallybookError(
      'STORE_FORMAT_UNSUPPORTED',
      `${name} has format ${from}, a newer one; use a newer version of Tallybook`,
    );
  }
  const due = migrations.filter(({ format }) => format > from);
  const worker = await another();
  try {
    for (const { statements } of due) for (const statement of statements) await makeOnce(worker, statement);
  } finally {
    worker.destroy();
  }
  const last = due.at(-1);
  if (last !== undefined) {
    await connection.query('UPDATE tallybook.format SET format = $1, compatible = $2', [
      last.format,
      last.compatible,
    ]);
  }
  await connection.query('COMMIT');
  return { from, to: last?.format ?? from };
}
