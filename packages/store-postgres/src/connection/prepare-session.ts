import { TallybookError } from '@tallybook/domain';
import type pg from 'pg';
import { isLost } from './postgres-errors.js';
import type { Session } from './session.js';

export interface SessionOptions {
  /** How long the connection may be idle within a transaction, in milliseconds; 0: without a limit. */
  readonly idleInTransactionMs: number;
}

/**
 * Longest wait for a lock. It is shorter than the limit for an answer. The database does not notice that nobody waits for an
 * answer any more, so each attempt would leave a waiting connection in the database.
 */
const LOCK_MS = 20_000;
/** Encodings that keep every character of a name. `SQL_ASCII` keeps bytes as they are sent, and they are sent in UTF-8. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];
/** The oldest tested version: 13. */
const OLDEST_VERSION = 130_000;
const DURABILITY = ['fsync', 'full_page_writes'] as const;

/**
 * Settings on which a promise of the store depends, so they override those of the server, the database and the role. A setting
 * that an engine does not know is left out.
 */
const settingsOf = ({ idleInTransactionMs }: SessionOptions): Readonly<Record<string, string>> => ({
  idle_in_transaction_session_timeout: String(idleInTransactionMs),
  lock_timeout: String(LOCK_MS),
  // A time limit for other programs would cut off a long statement at each attempt.
  statement_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  // At other levels a statement fails instead of waiting for the lock of the site.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // All statements name tables with their schema. So no function or operator of a user replaces one of the database.
  search_path: 'pg_catalog',
  // With generic plans alone, a statement planned while a table was empty would stay slow.
  plan_cache_mode: 'auto',
  standard_conforming_strings: 'on',
});

const setAll = `SELECT set_config(t.name, t.value, false)
  FROM unnest($1::text[], $2::text[]) AS t (name, value) WHERE current_setting(t.name, true) IS NOT NULL`;

/** Raises the values below `on`: with them a committed transaction could be lost. Values that wait for standbys stay. */
const setDurable = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit', true) IN ('off', 'local')`;

const selectSettings = `SELECT current_setting('transaction_read_only') AS "readOnly",
  current_setting('default_transaction_read_only', true) AS "isSetReadOnly",
  current_setting('in_hot_standby', true) AS standby,
  current_setting('server_encoding', true) AS encoding,
  current_setting('server_version', true) AS version, current_setting('server_version_num', true) AS "versionNumber",
  current_setting('fsync', true) AS fsync, current_setting('full_page_writes', true) AS full_page_writes`;

interface SettingsRow extends Readonly<Record<(typeof DURABILITY)[number], string | null>> {
  readonly readOnly: string;
  readonly isSetReadOnly: string | null;
  /** `null` before PostgreSQL 14. */
  readonly standby: string | null;
  readonly encoding: string | null;
  readonly version: string | null;
  /** Such as 150006. */
  readonly versionNumber: string | null;
}

const selectProcess = `SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text AS process`;

/** The timeline of the last checkpoint would be that of the former primary for a while. */
const selectHistory = `SELECT system_identifier::text AS system,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline FROM pg_control_system()`;

/**
 * Gives a new connection its settings. Rejects if its host does not accept writes: after a fail-over, the former primary may be a
 * standby. Rejects with `STORE_UNAVAILABLE` if the server is too old, or the database cannot keep every name.
 */
export async function prepareSession(
  client: Pick<pg.PoolClient, 'query'>,
  options: SessionOptions,
): Promise<Session> {
  const settings = settingsOf(options);
  await client.query(setAll, [Object.keys(settings), Object.values(settings)]);
  await client.query(setDurable);
  const { rows } = await client.query<SettingsRow>(selectSettings);
  const [row] = rows;
  if (row?.readOnly !== 'off') {
    const isChosen = row?.isSetReadOnly === 'on' && row.standby !== 'on';
    const reason = isChosen ? 'default_transaction_read_only is on' : 'it is a standby';
    throw new Error(`the server does not accept writes: ${reason}`);
  }
  if (row.versionNumber !== null && Number(row.versionNumber) < OLDEST_VERSION) {
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `the server is PostgreSQL ${row.version ?? ''}; version 13 or later is needed`,
    );
  }
  if (row.encoding !== null && !ENCODINGS.includes(row.encoding)) {
    throw new TallybookError(
      'STORE_UNAVAILABLE',
      `the database has the encoding ${row.encoding}, which does not have every character of a name; make one with ENCODING 'UTF8'`,
    );
  }
  const server = await ifKnown<{ process: string }>(client, selectProcess);
  const history = await ifKnown<{ system: string; timeline: string }>(client, selectHistory);
  return {
    unsafe: DURABILITY.filter((name) => row[name] === 'off'),
    process: server?.process,
    history: history && { system: history.system, timeline: Number.parseInt(history.timeline, 16) },
  };
}

/** The row of a statement that not every engine knows. */
async function ifKnown<R extends object>(
  client: Pick<pg.PoolClient, 'query'>,
  statement: string,
): Promise<R | undefined> {
  try {
    return (await client.query<R>(statement)).rows[0];
  } catch (error) {
    if (isLost(error)) throw error;
    return undefined;
  }
}
