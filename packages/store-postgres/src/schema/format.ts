import { TallybookError } from '@tallybook/domain';
import type { Queryable } from '../connection/session.js';
import { sqlStateOf, toOpenError } from '../connection/postgres-errors.js';
import { migrations } from './migrations.js';
import { Connections } from '../connection/connections.js';
import { describeTarget, parsePostgresUrl, type Environment } from '../connection/postgres-url.js';

/** The format of a database. */
export interface FormatRow {
  readonly format: number;
  /** The oldest format whose programs may use this database: a migration runs while these programs still run. */
  readonly compatible: number;
}

const UNDEFINED_TABLE = '42P01';
const INVALID_SCHEMA = '3F000';

/** The format that this version writes. */
export function latestFormat(): number {
  return migrations.at(-1)?.format ?? 0;
}

/** `undefined` if the database has no tables of Tallybook. */
export async function readFormat(connection: Queryable): Promise<FormatRow | undefined> {
  try {
    const [row] = await connection.query<FormatRow>('SELECT format, compatible FROM tallybook.format');
    return row;
  } catch (error) {
    const state = sqlStateOf(error);
    if (state === UNDEFINED_TABLE || state === INVALID_SCHEMA) return undefined;
    throw error;
  }
}

/**
 * @throws {TallybookError} `STORE_UNAVAILABLE` if there are no tables yet, `STORE_FORMAT_UNSUPPORTED` if the tables are of
 * another version.
 */
export function requireFormat(found: FormatRow | undefined, target: string): void {
  const remedy = 'run "tallybook migrate --store URL" with this version';
  if (found === undefined) {
    throw new TallybookError('STORE_UNAVAILABLE', `${target} has no tables of Tallybook: ${remedy}`);
  }
  const { format, compatible } = found;
  const supported = latestFormat();
  if (format >= supported && compatible <= supported) return;
  const what =
    format < supported ? `an older format; ${remedy}` : 'a newer format; use a newer version of Tallybook';
  throw new TallybookError('STORE_FORMAT_UNSUPPORTED', `${target} has format ${format}, ${what}`, {
    details: { format, supported },
  });
}

/**
 * Whether a database has the site that a URL names. The name may be misspelt, and opening a store would make that site, so a
 * command that only reads checks this first.
 *
 * @throws {TallybookError} The codes of opening a store: `INVALID_OPTION`, `STORE_UNAVAILABLE`, `STORE_FORMAT_UNSUPPORTED`.
 */
export async function holdsPostgresSite(
  url: string,
  { environment = process.env }: { readonly environment?: Environment } = {},
): Promise<boolean> {
  const target = parsePostgresUrl(url, environment);
  const name = describeTarget(target);
  await using connections = new Connections(target, { most: 1, idleInTransactionMs: 0 });
  try {
    const connection = await connections.take();
    try {
      requireFormat(await readFormat(connection), name);
      const found = await connection.query('SELECT site FROM tallybook.site WHERE site = $1', [target.site]);
      return found.length > 0;
    } finally {
      connection.destroy();
    }
  } catch (error) {
    throw toOpenError(name, error);
  }
}
