import { findWrongBit, hasChecksum } from './crc32c.js';
import { NumberReader } from './numbers.js';
import { decompressSnappy } from './snappy.js';

/*
 * A block of a table: rows, and the offsets of rows whose keys share nothing with the key before. A trailer follows: the
 * compression (1 byte), and the checksum of both (4).
 */
export const TRAILER_BYTES = 5;
export const PLAIN = 0;
export const SNAPPY = 1;
/** Bytes that LevelDB adds to a key: one says whether the row was put or deleted, and seven are the sequence number. */
export const SUFFIX_BYTES = 8;
const DELETED = 0;

/** A state of a row: the one with the largest `sequence` is the newest. */
export interface RowVersion {
  readonly key: Buffer;
  /** `undefined` if the row was deleted. */
  readonly value: Buffer | undefined;
  readonly sequence: number;
  /** Whether LevelDB's checksum of the bytes around the row is wrong. */
  readonly isDoubtful: boolean;
}

/** Place of a block in the file. `length` does not include the trailer. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Whether a block, with its trailer, is sound. */
export function isSound(bytes: Buffer): boolean {
  const end = bytes.length - TRAILER_BYTES + 1;
  return hasChecksum(bytes, 0, end, bytes.readUInt32LE(end));
}

/** Corrects a block, with its trailer, if one bit is wrong; `undefined` if more bits are wrong. */
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

/** The pairs of key and value in a block. A key shares its beginning with the key before it. Throws at the first invalid pair. */
export function* pairsOf(block: Buffer): Generator<readonly [Buffer, Buffer]> {
  const pairs = new NumberReader(block.subarray(0, endOfPairs(block)));
  let key: Buffer = Buffer.alloc(0);
  while (!pairs.isAtEnd) {
    const [shared, keyLength, valueLength] = [pairs.next(), pairs.next(), pairs.next()];
    key = Buffer.concat([key.subarray(0, shared), pairs.take(keyLength)]);
    yield [key, pairs.take(valueLength)];
  }
}

/** The places that a block of an index names, in its order. Throws at the first invalid place. */
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

/** The end of the pairs in a block. After them come the offsets of whole keys, and the number of those offsets. */
function endOfPairs(block: Buffer): number {
  return block.length - 4 - 4 * block.readUInt32LE(block.length - 4);
}

/** Reads a place from numbers. */
export function placeIn(numbers: NumberReader): Place {
  return { offset: numbers.next(), length: numbers.next() };
}
