import type { TallyId } from '@tallybook/domain';

/** A canonical id as `bytea`. */
export function bytesOfId(id: TallyId): Buffer {
  return Buffer.from(id, 'hex');
}

/** A canonical id from `bytea`. Values that this package wrote need no check. */
export function idOfBytes(bytes: Buffer): TallyId {
  return bytes.toString('hex').toUpperCase() as TallyId;
}
