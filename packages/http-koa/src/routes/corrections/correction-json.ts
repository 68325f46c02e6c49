import { toDay, toTimestamp, type SpellingName } from '@tallybook/domain';
import {
  parseCorrectionAction,
  parseReason,
  type Correction,
  type CorrectionRequest,
  type TagFinder,
} from '@tallybook/domain/record';
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
 * Rejects with the name of the field: `INVALID_CORRECTION`, `INVALID_DAY`, `INVALID_TALLY_ID`, `AMBIGUOUS_TALLY_ID` or
 * `INVALID_TIMESTAMP`.
 */
export async function parseCorrection(
  fields: Readonly<Record<string, unknown>>,
  tags: TagFinder,
  format: SpellingName | undefined,
): Promise<CorrectionRequest> {
  return {
    action: parseField('action', fields['action'], parseCorrectionAction),
    day: parseField('day', fields['day'], toDay),
    id: await parseField('id', fields['id'], (text) => tags.find(text, format)),
    at: parseField('at', fields['at'], toTimestamp),
    reason: parseField('reason', fields['reason'], parseReason),
  };
}
