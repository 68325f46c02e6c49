import type { TallyId } from '@tallybook/domain';

/** A canonical id as `bytea`. */
export function bytesOfId(id: TallyId): Buffer {
  return Buffer.from(id, 'hex');
}

/** The other way round. What is written by this package needs no check. */
export function idOfBytes(bytes: Buffer): TallyId {
  return bytes.toString('hex').toUpperCase() as TallyId;
}
