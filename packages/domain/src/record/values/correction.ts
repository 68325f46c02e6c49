import { quote, TallybookError } from '../../errors.js';
import type { Refusals } from '../../ports/record/refusals.js';
import { parseText, visible } from '../../values/name.js';
import { toDay } from '../../values/day.js';
import {
  correctionActions,
  correctionStates,
  type Correction,
  type CorrectionAction,
  type CorrectionDecision,
} from '../../values/record/correction.js';
import { parseTallyId } from '../../values/tally-id.js';
import { toOutsideTime } from '../../values/timestamp.js';
import { ValidFields, type Fields } from './valid-fields.js';

/** A correction that no store has numbered yet. */
export type NewCorrection = Omit<Correction, 'number'>;

/** Minimum and maximum number of Unicode code points of a reason, counted after normalisation and trimming. */
export const REASON_LENGTH = { shortest: 3, longest: 500 } as const;

const unwanted = (): RegExp => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;

/**
 * Reads the reason of a correction or a decision: one line of text, brought to Unicode NFC and trimmed.
 *
 * @throws {TallybookError} `INVALID_CORRECTION` if it is no string, is shorter than 3 or longer than 500 code points, holds
 * control characters, line breaks, characters that turn the direction of text, noncharacters or half a surrogate pair, or
 * nothing that is visible.
 */
export function parseReason(value: unknown): string {
  const { shortest, longest } = REASON_LENGTH;
  const reason = parseText(value, longest, (why) => invalidCorrection(`a reason ${why}`));
  if (Array.from(reason).length < shortest) {
    throw invalidCorrection(`a reason has ${shortest} to ${longest} characters; it has fewer`);
  }
  if (unwanted().test(reason)) {
    throw invalidCorrection('a reason is one line without control characters and without bidi controls');
  }
  if (!visible().test(reason)) throw invalidCorrection('a reason has something to read');
  return reason;
}

/** @throws {TallybookError} `INVALID_CORRECTION` if it is neither `add` nor `void`. */
export function parseCorrectionAction(value: unknown): CorrectionAction {
  const action = correctionActions.find((each) => each === value);
  if (action !== undefined) return action;
  throw invalidCorrection(`an action is "add" or "void"; got ${quote(value)}`);
}

export function invalidCorrection(message: string): TallybookError {
  return new TallybookError('INVALID_CORRECTION', message);
}

/**
 * Refuses a correction of a scan whose person was erased. Call it in the same turn as the write.
 *
 * @throws {TallybookError} `INVALID_CORRECTION`.
 */
export function requireNotErased({ id, at }: NewCorrection, erasures: Refusals | undefined): void {
  if (erasures?.isRefused(id, at) !== true) return;
  throw invalidCorrection(`the person of tag ${id} was erased: their scan at ${at} cannot be corrected`);
}

/** Whether two corrections are the same one, whatever the decisions on them. */
export function isSameCorrection(one: NewCorrection, other: NewCorrection): boolean {
  return (
    one.day === other.day &&
    one.id === other.id &&
    one.at === other.at &&
    one.action === other.action &&
    one.madeAt === other.madeAt &&
    one.author === other.author
  );
}

/** Lengths of the name of a principal in a backup or a message, in UTF-16 code units. */
const NAME_LENGTHS = [1, 500] as const;

const valid = new ValidFields((message) => invalidCorrection(message));

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

/** @throws {TallybookError} `INVALID_CORRECTION`, or the code of the value that is wrong. */
export function toCorrection(fields: Fields): NewCorrection {
  const { decision } = fields;
  const state = valid.oneOf(fields['state'], 'the state of a correction', correctionStates);
  return {
    action: parseCorrectionAction(fields['action']),
    day: toDay(fields['day']),
    id: parseTallyId(fields['id']),
    at: toOutsideTime(fields['at']),
    reason: parseReason(fields['reason']),
    author: valid.text(fields['author'], 'the author of a correction', NAME_LENGTHS),
    madeAt: toOutsideTime(fields['madeAt']),
    state,
    ...(decision === undefined ? {} : { decision: toDecision(decision) }),
  };
}

function toDecision(value: unknown): CorrectionDecision {
  const { by, at, reason } = valid.object(value, 'the decision of a correction');
  return {
    by: valid.text(by, 'decision.by', NAME_LENGTHS),
    at: toOutsideTime(at),
    ...(reason === undefined ? {} : { reason: parseReason(reason) }),
  };
}
