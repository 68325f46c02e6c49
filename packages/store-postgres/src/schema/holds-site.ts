import { Connections } from '../connection/connections.js';
import { toOpenError } from '../connection/postgres-errors.js';
import { describeTarget, parsePostgresUrl, type Environment } from '../connection/postgres-url.js';
import { readFormat, requireFormat } from './format.js';

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
  const connections = new Connections(target, { most: 1, idleInTransactionMs: 0 });
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
  } finally {
    await connections.close();
  }
}
