import { toTimestamp } from '@tallybook/domain';
import type { ErasureState, KeptErasure } from '@tallybook/domain/record';
import { encodeNumbers, NumberReader } from '../leveldb-files/numbers.js';
import { digestOfKey } from './keys.js';

const KEY_BYTES = 16;
const states: readonly ErasureState[] = ['begun', 'removed', 'done'];

/** Encodes the key of the erasure, then varints: state, `until`, `expiresAt`. The digest is in the key of the row. */
export function encodeErasure({ key, until, expiresAt, state }: KeptErasure): Buffer {
  return Buffer.concat([Buffer.from(key, 'hex'), encodeNumbers(states.indexOf(state), until, expiresAt)]);
}

/** Throws if the row is no erasure. */
export function decodeErasure(rowKey: Buffer, value: Buffer): KeptErasure {
  const numbers = new NumberReader(value);
  const key = numbers.take(KEY_BYTES).toString('hex');
  const state = states[numbers.next()];
  const [until, expiresAt] = [toTimestamp(numbers.next()), toTimestamp(numbers.next())];
  numbers.end();
  if (state === undefined) throw new RangeError('there is no such state of an erasure');
  return { key, digest: digestOfKey(rowKey), until, expiresAt, state };
}
