import {
  correctionActions,
  correctionStates,
  toDay,
  toTimestamp,
  type Correction,
  type CorrectionDecision,
  type Day,
} from '@tallybook/domain';
import type { Queryable, Statement } from '../connection/statement.js';
import { idOfBytes } from './ids.js';
import { parseObject, readRow, readText, type Unchecked } from './json-row.js';

/** A row of `tallybook.correction`. */
export interface CorrectionRow {
  readonly number: number;
  readonly day: number;
  readonly id: Buffer;
  readonly at: number;
  /** JSON of the rest. */
  readonly body: string;
}

export const correctionColumns = 'number, day, id, at, body';

/** $1: site, $2 and $3: day and number behind which the page begins, $4: the last day, $5: how many. */
const selectPage: Statement = {
  name: 'correction-page',
  text: `SELECT ${correctionColumns} FROM tallybook.correction
    WHERE site = $1 AND (day, number) > ($2, $3) AND day <= $4 ORDER BY day, number LIMIT $5`,
};

const PAGE = 1_000;

export type CorrectionPlace = Pick<Correction, 'day' | 'number'>;

/** The corrections that follow one, by day and number; none at the end. */
export async function readCorrectionPage(
  connection: Queryable,
  site: string,
  { behind: { day, number }, to }: { readonly behind: CorrectionPlace; readonly to: Day },
): Promise<readonly Correction[]> {
  const rows = await connection.query<CorrectionRow>(selectPage, [site, day, number, to, PAGE]);
  return rows.map(toCorrection);
}

export function bodyOfCorrection({ action, reason, author, madeAt, state, decision }: Correction): string {
  return JSON.stringify({ action, reason, author, madeAt, state, decision });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toCorrection({ number, day, id, at, body }: CorrectionRow): Correction {
  return readRow(`correction ${number}`, () => {
    const fields: Unchecked<Correction> = parseObject(body);
    const action = correctionActions.find((each) => each === fields.action);
    const state = correctionStates.find((each) => each === fields.state);
    if (action === undefined || state === undefined) throw new TypeError('there is no such action or state');
    const { decision } = fields;
    return {
      number,
      action,
      day: toDay(day),
      id: idOfBytes(id),
      at: toTimestamp(at),
      reason: readText(fields.reason),
      author: readText(fields.author),
      madeAt: toTimestamp(fields.madeAt),
      state,
      ...(decision !== undefined && { decision: toDecision(decision as Unchecked<CorrectionDecision>) }),
    };
  });
}

function toDecision({ by, at, reason }: Unchecked<CorrectionDecision>): CorrectionDecision {
  return { by: readText(by), at: toTimestamp(at), ...(reason !== undefined && { reason: readText(reason) }) };
}
