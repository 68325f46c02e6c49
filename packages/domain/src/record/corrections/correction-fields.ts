import { TallybookError } from '../../errors.js';
import { correctionStates, type CorrectionDecision } from '../../values/record/correction.js';
import { parseCorrectionAction, parseReason, type NewCorrection } from '../values/correction.js';
import { toDay } from '../../values/day.js';
import { parseTallyId } from '../../values/tally-id.js';
import { toOutsideTime } from '../../values/timestamp.js';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a correction in a fixed order, so that equal corrections give equal lines. */
export function plainCorrection(correction: NewCorrection): Fields {
  const { action, day, id, at, reason, author, madeAt, state, decision } = correction;
  return {
    ...{ kind: 'correction', action, day, id, at, reason, author, madeAt, state },
    ...(decision === undefined ? {} : { decision: plainDecision(decision) }),
  };
}

function plainDecision({ by, at, reason }: CorrectionDecision): Fields {
  return { by, at, ...(reason === undefined ? {} : { reason }) };
}

/** @throws {TallybookError} if it is no correction. */
export function toCorrection(fields: Fields): NewCorrection {
  const state = correctionStates.find((each) => each === fields['state']);
  if (state === undefined) throw bad(`must have a state of ${correctionStates.join(', ')}`);
  const { decision } = fields;
  return {
    action: parseCorrectionAction(fields['action']),
    day: toDay(fields['day']),
    id: parseTallyId(fields['id']),
    at: toOutsideTime(fields['at']),
    reason: parseReason(fields['reason']),
    author: toPrincipalName(fields['author'], 'author'),
    madeAt: toOutsideTime(fields['madeAt']),
    state,
    ...(decision === undefined ? {} : { decision: toDecision(decision) }),
  };
}

function toDecision(value: unknown): CorrectionDecision {
  if (typeof value !== 'object' || value === null) throw bad('must have an object as decision');
  const { by, at, reason } = value as Fields;
  return {
    by: toPrincipalName(by, 'decision.by'),
    at: toOutsideTime(at),
    ...(reason === undefined ? {} : { reason: parseReason(reason) }),
  };
}

/** Maximum length of the name of a principal in a backup, in UTF-16 code units. */
const NAME_MAX = 500;

function toPrincipalName(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= NAME_MAX) return value;
  throw bad(`must have 1 to ${NAME_MAX} characters as ${field}`);
}

function bad(message: string): TallybookError {
  return new TallybookError('INVALID_CORRECTION', `a correction ${message}`);
}
