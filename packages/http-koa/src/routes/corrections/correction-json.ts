import {
  parseCorrectionAction,
  parseReason,
  parseTallyId,
  toDay,
  toTimestamp,
  type Correction,
  type CorrectionRequest,
} from '@tallybook/domain';
import { parseField } from '../../requests/parse-field.js';

/** A correction in the JSON of the interface. */
export function correctionJson(correction: Correction): Readonly<Record<string, unknown>> {
  const { number, action, day, id, at, reason, author, madeAt, state, decision } = correction;
  return {
    ...{ number, action, day, id, at, reason, author, madeAt, state },
    decidedBy: decision?.by ?? null,
    decidedAt: decision?.at ?? null,
    decisionReason: decision?.reason ?? null,
  };
}

/**
 * Reads the request of a correction.
 *
 * @throws {TallybookError} With the name of the field: `INVALID_CORRECTION`, `INVALID_DAY`, `INVALID_TALLY_ID` or
 * `INVALID_TIMESTAMP`.
 */
export function parseCorrection(fields: Readonly<Record<string, unknown>>): CorrectionRequest {
  return {
    action: parseField('action', fields['action'], parseCorrectionAction),
    day: parseField('day', fields['day'], toDay),
    id: parseField('id', fields['id'], parseTallyId),
    at: parseField('at', fields['at'], toTimestamp),
    reason: parseField('reason', fields['reason'], parseReason),
  };
}
