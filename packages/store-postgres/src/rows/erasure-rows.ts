import { createHmac, randomBytes } from 'node:crypto';
import { toTimestamp } from '@tallybook/domain';
import type { ErasureState, KeptErasure, TagDigests } from '@tallybook/domain/record';
import { readRow } from './stored-values.js';

/** A row of `tallybook.erasure`. */
export interface ErasureRow {
  readonly digest: string;
  readonly key: string;
  readonly from: number;
  readonly until: number;
  readonly expiresAt: number;
  readonly state: string;
  readonly isClosed: boolean;
}

const states: readonly ErasureState[] = ['begun', 'removed', 'done'];

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toErasure({ digest, key, from, until, expiresAt, state, isClosed }: ErasureRow): KeptErasure {
  return readRow(`the erasure ${digest}`, () => {
    const known = states.find((each) => each === state);
    if (known === undefined) throw new TypeError('there is no such state of an erasure');
    return {
      ...{ key, digest, from: toTimestamp(from) },
      ...(isClosed && { isClosed }),
      ...{ until: toTimestamp(until), expiresAt: toTimestamp(expiresAt), state: known },
    };
  });
}

const KEY_BYTES = 16;
const DIGEST_DIGITS = 32;

/** Keys of erasures, and digests of tags: see `Erasure`. */
export const tagDigests: TagDigests = {
  newKey: () => randomBytes(KEY_BYTES).toString('hex'),
  digestOf: (key, id) =>
    createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest('hex').slice(0, DIGEST_DIGITS),
};
