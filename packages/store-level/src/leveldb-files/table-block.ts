import { findWrongBit, hasChecksum } from './crc32c.js';
import { NumberReader } from './numbers.js';
import { decompressSnappy } from './snappy.js';

/*
 * A block of a table: rows, and the places of rows that share nothing with the one before. After it come its compression (1 byte)
 * and the checksum of both (4).
 */
export const TRAILER_BYTES = 5;
export const PLAIN = 0;
export const SNAPPY = 1;
/** Bytes that LevelDB adds to a key: one whether the row was put or deleted, and seven of sequence number. */
export const SUFFIX_BYTES = 8;
const DELETED = 0;

/** A state of a row: the one with the largest `sequence` is the newest. */
export interface RowVersion {
  readonly key: Buffer;
  /** `undefined` if the row was deleted. */
  readonly value: Buffer | undefined;
  readonly sequence: number;
  /** Whether the checksum of LevelDB around it is wrong. */
  readonly isDoubtful: boolean;
}

/** Where a block lies: `length` is without its trailer. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Whether a block, with its trailer, is sound. */
export function isSound(bytes: Buffer): boolean {
  const end = bytes.length - TRAILER_BYTES + 1;
  return hasChecksum(bytes, 0, end, bytes.readUInt32LE(end));
}

/** A block, with its trailer, as it was written, if one bit of it is wrong; `undefined` if more are. */
export function mendBlock(bytes: Buffer): Buffer | undefined {
  const end = bytes.length - TRAILER_BYTES + 1;
  const wrong = findWrongBit(bytes, 0, end, bytes.readUInt32LE(end));
  if (wrong === undefined) return undefined;
  if (wrong === 'checksum') return bytes;
  const mended = Buffer.from(bytes);
  mended.writeUInt8(mended.readUInt8(wrong.at) ^ wrong.mask, wrong.at);
  return mended;
}

/** The content of a block with its trailer. Throws a `RangeError` if it cannot be decompressed. */
export function contentOf(bytes: Buffer): Buffer {
  const content = bytes.subarray(0, bytes.length - TRAILER_BYTES);
  return bytes[content.length] === SNAPPY ? decompressSnappy(content) : content;
}

/** The rows of a sound block. */
export function rowsOf(bytes: Buffer): readonly RowVersion[] {
  const rows: RowVersion[] = [];
  try {
    for (const [suffixed, value] of pairsOf(contentOf(bytes))) {
      const keyLength = suffixed.length - SUFFIX_BYTES;
      const kind = suffixed.readUInt8(keyLength);
      const sequence = suffixed.readUIntLE(keyLength + 1, 6);
      const key = suffixed.subarray(0, keyLength);
      rows.push({ key, value: kind === DELETED ? undefined : value, sequence, isDoubtful: false });
    }
  } catch {
    // The rows before the damage are sound.
  }
  return rows;
}

/** The pairs of a block: keys share their beginning with the one before. Throws where it is no block of pairs. */
export function* pairsOf(block: Buffer): Generator<readonly [Buffer, Buffer]> {
  const pairs = new NumberReader(block.subarray(0, endOfPairs(block)));
  let key: Buffer = Buffer.alloc(0);
  while (!pairs.isAtEnd) {
    const [shared, keyLength, valueLength] = [pairs.next(), pairs.next(), pairs.next()];
    key = Buffer.concat([key.subarray(0, shared), pairs.take(keyLength)]);
    yield [key, pairs.take(valueLength)];
  }
}

/** The places that a block of an index leads to, in its order. Throws where it is no block of places. */
export function placesIn(block: Buffer): readonly Place[] {
  const places: Place[] = [];
  const numbers = new NumberReader(block.subarray(0, endOfPairs(block)));
  while (!numbers.isAtEnd) {
    numbers.next();
    const keyLength = numbers.next();
    const valueLength = numbers.next();
    numbers.skip(keyLength);
    const end = numbers.offset + valueLength;
    places.push(placeIn(numbers));
    if (numbers.offset !== end) throw new RangeError('a place is longer or shorter than it says');
  }
  return places;
}

/** Where the pairs of a block end; after them come the places where keys are whole, and their number. */
function endOfPairs(block: Buffer): number {
  return block.length - 4 - 4 * block.readUInt32LE(block.length - 4);
}

/** Reads a place from numbers. */
export function placeIn(numbers: NumberReader): Place {
  return { offset: numbers.next(), length: numbers.next() };
}
