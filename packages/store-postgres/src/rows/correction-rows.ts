import {
  correctionActions,
  correctionStates,
  toDay,
  toTimestamp,
  type Correction,
  type CorrectionDecision,
} from '@tallybook/domain';
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
