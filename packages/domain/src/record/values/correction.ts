import { kindOf, quote, TallybookError } from '../../errors.js';
import { isNormalisable, visible } from '../../values/name.js';
import { toDay } from '../../values/day.js';
import {
  correctionActions,
  correctionStates,
  type Correction,
  type CorrectionAction,
  type CorrectionDecision,
} from '../../values/record/correction.js';
import { parseTallyId } from '../../values/tally-id.js';
import { toTimestamp } from '../../values/timestamp.js';

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
  if (typeof value !== 'string') throw invalidCorrection(`a reason is a text; got ${kindOf(value)}`);
  if (!value.isWellFormed())
    throw invalidCorrection('a reason is well-formed Unicode; it has a lone surrogate');
  const trimmed = value.trim();
  const reason = isNormalisable(trimmed, REASON_LENGTH.longest) ? trimmed.normalize('NFC').trim() : trimmed;
  // A code point is one or two UTF-16 code units, so a longer text need not be counted.
  const length = reason.length > 2 * REASON_LENGTH.longest ? Infinity : Array.from(reason).length;
  const { shortest, longest } = REASON_LENGTH;
  if (length < shortest || length > longest) {
    const found = length === Infinity ? 'more' : length;
    throw invalidCorrection(`a reason has ${shortest} to ${longest} characters; it has ${found}`);
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

type Unchecked<T> = { readonly [K in keyof T]?: unknown };

/**
 * The correction of a store's row.
 *
 * @param fields As they were parsed, with those that the store keeps elsewhere.
 * @throws If they are no correction. The error does not quote them.
 */
export function readCorrection(fields: Unchecked<Correction>): Correction {
  const action = correctionActions.find((each) => each === fields.action);
  const state = correctionStates.find((each) => each === fields.state);
  if (action === undefined || state === undefined) throw new TypeError('there is no such action or state');
  const { number, decision } = fields;
  return {
    ...{ number: number as number, action },
    ...{ day: toDay(fields.day), id: parseTallyId(fields.id), at: toTimestamp(fields.at) },
    ...{ reason: toText(fields.reason), author: toText(fields.author), madeAt: toTimestamp(fields.madeAt) },
    state,
    ...(decision !== undefined && { decision: readDecision(decision as Unchecked<CorrectionDecision>) }),
  };
}

function readDecision({ by, at, reason }: Unchecked<CorrectionDecision>): CorrectionDecision {
  return { by: toText(by), at: toTimestamp(at), ...(reason !== undefined && { reason: toText(reason) }) };
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is missing');
  return value;
}

/**
 * The present correction after the same one was made again: if it is still pending, it gets the decision of the new one. Returns
 * `there` itself if it stays.
 */
export function decidedAs(there: Correction, { state, decision }: NewCorrection): Correction {
  if (there.state !== 'pending' || state === 'pending') return there;
  return { ...there, state, ...(decision !== undefined && { decision }) };
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
