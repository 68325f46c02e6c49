import { hasChecksum } from './crc32c.js';

/*
 * A log of LevelDB, and its MANIFEST, which has the same form: blocks of 32 KiB, in them fragments, each with its
 * checksum (4 bytes), length (2) and type (1) before it. A record is one fragment or several in a row; fewer than
 * seven bytes at the end of a block are padding.
 */
const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const ZEROS = Buffer.alloc(4_096);
const FULL = 1;
const FIRST = 2;
const LAST = 4;

export interface LogContent {
  /** The records whose checksums are right, in the order in which they were written. */
  readonly records: readonly Buffer[];
  /** What may be records, or parts of them, although their checksums are wrong. */
  readonly doubtful: readonly Buffer[];
  /** The offset of bytes that are no record although another record begins after them; `undefined` if none are. */
  readonly damagedAt: number | undefined;
}

interface Fragment {
  readonly type: number;
  readonly data: Buffer;
  readonly end: number;
  readonly isProven: boolean;
}

interface UnfinishedRecord {
  readonly start: number;
  readonly fragments: Buffer[];
  isProven: boolean;
}

/** Reads all that can be read: after bytes that are no fragment, it looks for the next one. */
export function readLog(bytes: Buffer): LogContent {
  const records: Buffer[] = [];
  const doubtful: Buffer[] = [];
  let record: UnfinishedRecord | undefined;
  let badAt: number | undefined;
  let damagedAt: number | undefined;
  // Whether a fragment should begin here. Elsewhere only a right checksum makes one.
  let isAligned = true;
  let offset = 0;
  const end = withoutZeros(bytes);
  while (offset < end) {
    const blockEnd = offset - (offset % BLOCK_BYTES) + BLOCK_BYTES;
    if (blockEnd - offset < HEADER_BYTES) {
      offset = blockEnd;
      isAligned = true;
      continue;
    }
    const fragment = fragmentAt(bytes, offset, Math.min(blockEnd, bytes.length));
    const { isProven = false } = fragment ?? {};
    if (isProven && isBeginning(fragment)) {
      // One write is under way at a time. So what lies before the beginning of another one was complete once.
      damagedAt ??= badAt ?? record?.start;
      badAt = undefined;
    } else if (!isProven || record === undefined) {
      badAt ??= record?.start ?? offset;
    }
    if (fragment !== undefined && (isProven || isAligned)) {
      if (isBeginning(fragment)) record = { start: offset, fragments: [], isProven };
      if (record !== undefined) {
        record.fragments.push(fragment.data);
        record.isProven &&= isProven;
        if (fragment.type === FULL || fragment.type === LAST) {
          (record.isProven ? records : doubtful).push(joined(record.fragments));
          record = undefined;
        }
      }
    }
    // A wrong checksum may be that of a wrong length: then the next fragment does not begin where it should.
    isAligned =
      fragment !== undefined && (isProven || (isAligned && isFollowed(bytes, fragment.end, blockEnd)));
    if (!isAligned) record = undefined;
    offset = isAligned ? (fragment?.end ?? offset + 1) : offset + 1;
  }
  return { records, doubtful, damagedAt };
}

/** The length without most zeros at the end, the room in a log (see `log-room.ts`): to look for records in them takes long. */
function withoutZeros(bytes: Buffer): number {
  let end = bytes.length;
  while (end >= ZEROS.length && bytes.subarray(end - ZEROS.length, end).equals(ZEROS)) end -= ZEROS.length;
  return end;
}

/** One fragment, as nearly all records have, stays where it is. */
function joined(fragments: readonly Buffer[]): Buffer {
  const [first, ...rest] = fragments;
  return first !== undefined && rest.length === 0 ? first : Buffer.concat(fragments);
}

function isBeginning(fragment: Fragment | undefined): boolean {
  return fragment?.type === FULL || fragment?.type === FIRST;
}

/** Whether a fragment, or the end of the block, follows at an offset. */
function isFollowed(bytes: Buffer, offset: number, blockEnd: number): boolean {
  return (
    blockEnd - offset < HEADER_BYTES ||
    fragmentAt(bytes, offset, Math.min(blockEnd, bytes.length))?.isProven === true
  );
}

function fragmentAt(bytes: Buffer, offset: number, end: number): Fragment | undefined {
  if (offset + HEADER_BYTES > end) return undefined;
  const type = bytes.readUInt8(offset + 6);
  if (type < FULL || type > LAST) return undefined;
  const start = offset + HEADER_BYTES;
  const fragmentEnd = start + bytes.readUInt16LE(offset + 4);
  if (fragmentEnd > end) return undefined;
  const isProven = hasChecksum(bytes, offset + 6, fragmentEnd, bytes.readUInt32LE(offset));
  return { type, data: bytes.subarray(start, fragmentEnd), end: fragmentEnd, isProven };
}
