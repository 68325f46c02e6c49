import { toTimestamp } from '@tallybook/domain';
import type { ErasureState, KeptErasure } from '@tallybook/domain/record';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';
import { DIGEST_LENGTH, erasureOfKey } from './keys.js';

const states: readonly ErasureState[] = ['begun', 'removed', 'done'];

/** Encodes varints: state, `until`, `expiresAt`, and 1 if it is closed, else 0. Everything else is in the key of the row. */
export function encodeErasure({ until, expiresAt, state, isClosed }: KeptErasure): Buffer {
  return encodeNumbers(states.indexOf(state), until, expiresAt, isClosed === true ? 1 : 0);
}

/** Throws if the row is no erasure. */
export function decodeErasure(rowKey: Buffer, value: Buffer): KeptErasure {
  const numbers = new NumberReader(value);
  const state = states[numbers.next()];
  const [until, expiresAt] = [toTimestamp(numbers.next()), toTimestamp(numbers.next())];
  const closed = numbers.next();
  numbers.end();
  if (state === undefined) throw new RangeError('there is no such state of an erasure');
  return {
    ...erasureOfKey(rowKey),
    until,
    expiresAt,
    state,
    ...(closed === 1 && { isClosed: true as const }),
  };
}

/** Decodes the key of the erasures that a store makes. Throws if it is none. */
export function decodeSiteKey(value: Buffer): string {
  if (value.length !== DIGEST_LENGTH) throw new RangeError('a key of erasures has 16 bytes');
  return value.toString('hex');
}
