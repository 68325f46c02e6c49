import { setImmediate } from 'node:timers/promises';

/** Rows that are decoded in one turn: this takes about two milliseconds. */
const ROWS_OF_TURN = 1_000;

/** Decodes rows in several turns, with other work in between: so a large day delays no tap and no answer. */
export async function decodeInTurns<Row, T>(rows: readonly Row[], decode: (row: Row) => T): Promise<T[]> {
  const decoded: T[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % ROWS_OF_TURN === 0) await setImmediate();
    decoded.push(decode(row));
  }
  return decoded;
}
