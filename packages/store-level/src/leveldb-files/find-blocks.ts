import { findChecksum } from './crc32c.js';
import { NumberReader } from './numbers.js';
import { elementAt, sizeOf } from './snappy.js';
import { contentOf, isSound, pairsOf, placeIn, SUFFIX_BYTES, TRAILER_BYTES } from './table-block.js';

const CHECKSUM_BYTES = 4;
/** Longest block in bytes, with the byte of its compression. LevelDB ends a block with the row that makes it longer than 4 KiB. */
const BLOCK_BYTES_MAX = 6_144;
/** The only key in the index of the filter. That index comes after all rows. */
const FILTER_KEY = 'filter.leveldb.';

export interface TablePiece {
  /** A sound block with its trailer, or bytes with damaged blocks. */
  readonly piece: Buffer;
  readonly isBlock: boolean;
}

/** The pieces of a table whose index is lost. The end of a block is found by its checksum. */
export function* findBlocks(bytes: Buffer): Generator<TablePiece, void, undefined> {
  let gap = 0;
  for (let at = 0; at < bytes.length;) {
    const end = canBegin(bytes, at) ? findChecksum(bytes, at, at + BLOCK_BYTES_MAX) : undefined;
    if (end === undefined) {
      at++;
      continue;
    }
    const piece = bytes.subarray(at, end + CHECKSUM_BYTES);
    const before = bytes.subarray(gap, at);
    const isIndex = piece.includes(FILTER_KEY) || isIndexOfBlocks(piece);
    // The filter comes before its index, and does not begin as blocks do.
    if (before.length > 0 && !(isIndex && before.length > TRAILER_BYTES && isSound(before)))
      yield { piece: before, isBlock: false };
    if (isIndex) return;
    yield { piece, isBlock: true };
    at = end + CHECKSUM_BYTES;
    gap = at;
  }
  if (gap < bytes.length) yield { piece: bytes.subarray(gap), isBlock: false };
}

/** Whether a block is an index: then it names places that follow one another from the beginning of the table. */
function isIndexOfBlocks(piece: Buffer): boolean {
  try {
    let next = 0;
    for (const [, value] of pairsOf(contentOf(piece))) {
      const { offset, length } = placeIn(new NumberReader(value));
      if (offset !== next) return false;
      next = offset + length + TRAILER_BYTES;
    }
    return next > 0;
  } catch {
    return false;
  }
}

/** Whether a block, compressed or not, may begin at an offset: its first key shares nothing with another key. */
function canBegin(bytes: Buffer, at: number): boolean {
  if (isFirstKey(bytes, at)) return true;
  const start = at + (sizeOf(bytes.subarray(at, at + 5))?.end ?? 0);
  const element = start > at ? elementAt(bytes, start) : undefined;
  return element?.distance === 0 && isFirstKey(bytes, element.data);
}

function isFirstKey(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0 && (bytes[at + 1] ?? 0) > SUFFIX_BYTES;
}
