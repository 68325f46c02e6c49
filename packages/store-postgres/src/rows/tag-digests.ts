import { createHmac, randomBytes } from 'node:crypto';
import type { TagDigests } from '@tallybook/domain/record';

const KEY_BYTES = 16;
const DIGEST_DIGITS = 32;

/** Keys of erasures, and digests of tags: see `Erasure`. */
export const tagDigests: TagDigests = {
  newKey: () => randomBytes(KEY_BYTES).toString('hex'),
  digestOf: (key, id) =>
    createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest('hex').slice(0, DIGEST_DIGITS),
};
