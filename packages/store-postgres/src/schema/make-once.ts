import { isConflict, sqlStateOf } from '../connection/postgres-errors.js';
import type { Queryable } from '../connection/statement.js';

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
