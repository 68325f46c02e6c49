import { DAY_MAX, toDay, type Day } from '@tallybook/domain';
import { readCorrection, type Correction } from '@tallybook/domain/record';
import { CORRECTION, dayRangeOf, type KeyRange } from './keys.js';
import { parseObject } from './service/json-value.js';

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
export function decodeCorrection(key: Pick<Correction, 'day' | 'number'>, value: Buffer): Correction {
  return readCorrection({ ...parseObject(value), ...key });
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
