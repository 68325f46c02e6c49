import { parseTallyId, toDay, toTimestamp, DAY_MAX, type Day } from '@tallybook/domain';
import { correctionStates, type Correction, type CorrectionDecision } from '@tallybook/domain/record';
import { CORRECTION, dayRangeOf, type KeyRange } from './keys.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encodes the value of a correction's row. Day and number are in the key. */
export function encodeCorrection(correction: Omit<Correction, 'number' | 'day'>): Buffer {
  const { action, id, at, reason, author, madeAt, state, decision } = correction;
  return Buffer.from(
    JSON.stringify({
      ...{ action, id, at, reason, author, madeAt, state },
      ...(decision && { decision: { by: decision.by, at: decision.at, reason: decision.reason } }),
    }),
  );
}

/** Throws if the value is no correction. */
export function decodeCorrection(
  { day, number }: Pick<Correction, 'day' | 'number'>,
  value: Buffer,
): Correction {
  const fields = JSON.parse(utf8.decode(value)) as Unchecked<Correction>;
  const { action, id, at, reason, author, madeAt, decision } = fields;
  if (action !== 'add' && action !== 'void') throw new TypeError('there is no such action');
  const state = correctionStates.find((each) => each === fields.state);
  if (state === undefined) throw new TypeError('there is no such state');
  return {
    number,
    action,
    day: toDay(day),
    id: parseTallyId(id),
    at: toTimestamp(at),
    reason: toText(reason),
    author: toText(author),
    madeAt: toTimestamp(madeAt),
    state,
    ...(decision !== undefined && { decision: toDecision(decision as Unchecked<CorrectionDecision>) }),
  };
}

/** Fields that were parsed and are not checked yet. */
type Unchecked<T> = { readonly [K in keyof T]?: unknown };

function toDecision({ by, at, reason }: Unchecked<CorrectionDecision>): CorrectionDecision {
  return { by: toText(by), at: toTimestamp(at), ...(reason !== undefined && { reason: toText(reason) }) };
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is missing');
  return value;
}

/*
 *   0C                                        number of the latest correction
 *   0C  day (4)  number (8)                   correction
 */
const NUMBER_AT = 5;
const KEY_LENGTH = NUMBER_AT + 8;

export const latestNumberKey: Buffer = Buffer.of(CORRECTION);

export function correctionKey({ day, number }: Pick<Correction, 'day' | 'number'>): Buffer {
  const key = Buffer.alloc(KEY_LENGTH, CORRECTION);
  key.writeUInt32BE(day, 1);
  key.writeBigUInt64BE(BigInt(number), NUMBER_AT);
  return key;
}

/** Throws if the key is not that of a correction. */
export function correctionOfKey(key: Buffer): Pick<Correction, 'day' | 'number'> {
  if (key.length !== KEY_LENGTH) throw new RangeError('a correction has thirteen bytes of key');
  return { day: toDay(key.readUInt32BE(1)), number: Number(key.readBigUInt64BE(NUMBER_AT)) };
}

/** The corrections of the days from one to another, both included. */
export function correctionRange(from: Day, to: Day): KeyRange {
  return dayRangeOf(CORRECTION, from, to);
}

export const allCorrections: KeyRange = correctionRange(0 as Day, DAY_MAX);
