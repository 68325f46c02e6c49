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
import { toOutsideTime, toTimestamp } from '../../values/timestamp.js';
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
