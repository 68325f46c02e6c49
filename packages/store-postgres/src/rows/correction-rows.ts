import { type Day } from '@tallybook/domain';
import { readCorrection, type Correction } from '@tallybook/domain/record';
import type { SiteRows } from '../connection/session.js';
import { idOfBytes, parseObject, readRow } from './stored-values.js';

/** A row of `tallybook.correction`. */
export interface CorrectionRow {
  readonly number: number;
  readonly day: number;
  readonly id: Buffer;
  readonly at: number;
  /** JSON of all other fields. */
  readonly body: string;
}

export const correctionColumns = 'number, day, id, at, body';

export function bodyOfCorrection({ action, reason, author, madeAt, state, decision }: Correction): string {
  return JSON.stringify({ action, reason, author, madeAt, state, decision });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toCorrection({ number, day, id, at, body }: CorrectionRow): Correction {
  return readRow(`correction ${number}`, () =>
    readCorrection({ ...parseObject(body), number, day, id: idOfBytes(id), at }),
  );
}

/** Days that have corrections. $1: site, $2: first day, $3: last day. */
const selectDays = `SELECT DISTINCT day FROM tallybook.correction WHERE site = $1 AND day BETWEEN $2 AND $3 ORDER BY day`;

/** $1: site, $2: day. */
const selectOfDay = `SELECT ${correctionColumns} FROM tallybook.correction WHERE site = $1 AND day = $2 ORDER BY number`;

/** The corrections of days, ascending by day and number; one day is read at a time. */
export async function* correctionsOfDays(
  site: SiteRows,
  from: Day,
  to: Day,
): AsyncGenerator<Correction, void, undefined> {
  for (const { day } of await site.rows<{ day: Day }>(selectDays, from, to)) {
    yield* (await site.rows<CorrectionRow>(selectOfDay, day)).map(toCorrection);
  }
}
