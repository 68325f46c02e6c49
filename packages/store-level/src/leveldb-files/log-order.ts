/*
 * Finds damage that ends the process or keeps LevelDB from opening. The checksums of the records need not show such damage. See
 * `log-file.ts` for the form of a log.
 */
import { hasChecksum } from './crc32c.js';

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const types = { full: 1, first: 2, middle: 3, last: 4 } as const;
/** Where a batch has the sequence number of its first change, and how many changes it has. */
const SEQUENCE_BYTES = 6;
const COUNT_AT = 8;
const BATCH_BYTES = 12;

/**
 * Whether the records of a log are in their order. LevelDB numbers all changes, and ends the process if a number occurs twice,
 * for example because a disk has written a block to a second place.
 *
 * @param records The first twelve bytes of each are enough.
 */
export function areInOrder(records: readonly Buffer[]): boolean {
  let next = 0;
  for (const record of records) {
    if (record.length < BATCH_BYTES) return false;
    const sequence = record.readUIntLE(0, SEQUENCE_BYTES);
    if (sequence < next) return false;
    next = sequence + record.readUInt32LE(COUNT_AT);
  }
  return true;
}

/**
 * Finds the first fragment of a manifest that keeps LevelDB from opening. A fragment cut off at the end of the file does not keep
 * it from opening.
 *
 * @returns The offset of the fragment; `undefined` if there is none.
 */
export function findRefusedFragment(bytes: Buffer): number | undefined {
  let isAmidRecord = false;
  for (let offset = 0; offset + HEADER_BYTES <= bytes.length;) {
    const blockEnd = offset - (offset % BLOCK_BYTES) + BLOCK_BYTES;
    const length = bytes.readUInt16LE(offset + 4);
    const type = bytes.readUInt8(offset + 6);
    const isPadding = blockEnd - offset < HEADER_BYTES;
    if (isPadding || (type === 0 && length === 0)) {
      if (isAmidRecord && !isPadding) return offset;
      offset = blockEnd;
      continue;
    }
    const end = offset + HEADER_BYTES + length;
    // An interrupted write has left a fragment that is cut off at the end of the file.
    if (end > bytes.length && blockEnd >= bytes.length) return undefined;
    if (end > blockEnd || !hasSoundFragment(bytes, offset)) return offset;
    const begins = type === types.full || type === types.first;
    if (begins === isAmidRecord || type > types.last) return offset;
    isAmidRecord = type === types.first || type === types.middle;
    offset = end;
  }
  return undefined;
}

/** Whether the fragment at an offset, which has room for a header there, has the right checksum. */
export function hasSoundFragment(bytes: Buffer, offset: number): boolean {
  const end = offset + HEADER_BYTES + bytes.readUInt16LE(offset + 4);
  return end <= bytes.length && hasChecksum(bytes, offset + 6, end, bytes.readUInt32LE(offset));
}
