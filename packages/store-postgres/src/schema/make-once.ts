import { isConflict, sqlStateOf } from '../connection/postgres-errors.js';
import type { Queryable } from '../connection/statement.js';

/**
 * Codes of "somebody else makes the same": unique violation in the catalogue, and "there is one already", of a schema, a table and
 * the type of its rows.
 */
const MADE_MEANWHILE = ['23505', '42P06', '42P07', '42710'];
const TRIES = 5;

/** Runs a statement with `IF NOT EXISTS`, which in PostgreSQL fails all the same if another connection is just doing it. */
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
