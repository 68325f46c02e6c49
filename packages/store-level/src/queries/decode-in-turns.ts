import { setImmediate } from 'node:timers/promises';

/** So many rows are decoded in about two milliseconds. */
const ROWS_OF_TURN = 1_000;

/** Decodes rows, and lets others go in between: a large day holds up no tap and no answer. */
export async function decodeInTurns<Row, T>(rows: readonly Row[], decode: (row: Row) => T): Promise<T[]> {
  const decoded: T[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % ROWS_OF_TURN === 0) await setImmediate();
    decoded.push(decode(row));
  }
  return decoded;
}
