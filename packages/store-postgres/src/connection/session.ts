import { TallybookError } from '@tallybook/domain';
import type pg from 'pg';

export interface SessionOptions {
  /** How long the connection may sit within a transaction, in milliseconds; 0 for ever. */
  readonly idleInTransactionMs: number;
}

/** Settings of a server, or of the way to it, that a session cannot change. */
export interface ServerSettings {
  /** Settings without which a power cut can damage the database, or lose what was committed. */
  readonly unsafe: readonly string[];
}

/**
 * Longest wait for a lock. Shorter than the time in which an answer must come: the database does not notice that nobody waits for
 * the answer any more, so each attempt would leave a connection there that goes on waiting.
 */
const LOCK_MS = 20_000;
/** Encodings that keep every character of a name. `SQL_ASCII` keeps bytes as they come, and they come in UTF-8. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];
/** The oldest version that was tried: 13. */
const OLDEST_VERSION = 130_000;
const DURABILITY = ['fsync', 'full_page_writes'] as const;

/**
 * Settings on which a promise depends, whatever the server, the database and the role have. One that an engine does not know is
 * left out.
 */
const settingsOf = ({ idleInTransactionMs }: SessionOptions): Readonly<Record<string, string>> => ({
  idle_in_transaction_session_timeout: String(idleInTransactionMs),
  lock_timeout: String(LOCK_MS),
  // A time limit that somebody has set for other programs would cut off a statement each time that it is tried.
  statement_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  // Others fail where this one waits for the lock of the site.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // All tables are named with their schema, so that no function or operator of a user replaces those of the database.
  search_path: 'pg_catalog',
  standard_conforming_strings: 'on',
});

const setAll = `SELECT set_config(t.name, t.value, false)
  FROM unnest($1::text[], $2::text[]) AS t (name, value) WHERE current_setting(t.name, true) IS NOT NULL`;

/** Raises values below `on`, with which a committed transaction could be lost; values that wait for standbys stay. */
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
  /** PostgreSQL 14 and later. */
  readonly standby: string | null;
  readonly encoding: string | null;
  readonly version: string | null;
  /** Such as 150006. */
  readonly versionNumber: string | null;
}

/**
 * Gives a new connection the settings that it needs. Rejects if its host does not accept writes, since after a fail-over the former
 * one may be a standby; and with `STORE_UNAVAILABLE` if the server is too old, or the database cannot keep every name.
 */
export async function prepareSession(
  client: Pick<pg.PoolClient, 'query'>,
  options: SessionOptions,
): Promise<ServerSettings> {
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
  return { unsafe: DURABILITY.filter((name) => row[name] === 'off') };
}
