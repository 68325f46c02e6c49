import { checksumOf, findWrongBit, hasChecksum } from './crc32c.js';

/*
 * A log of LevelDB; its MANIFEST has the same form. A log consists of blocks of 32 KiB, and a block of fragments. Before each
 * fragment are its checksum (4 bytes), length (2) and type (1). A record is one fragment or several in a row; fewer than seven
 * bytes at the end of a block are padding.
 */
const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const LENGTH_BITS = 16;
const ZEROS = Buffer.alloc(4_096);
const FULL = 1;
const FIRST = 2;
const LAST = 4;

/** Content of a log. A record in several blocks is joined only when it is read, because joining takes memory. */
export interface LogContent {
  /** The records with right checksums, in the order in which they were written. */
  readonly records: readonly Buffer[];
  /** At least the first twelve bytes of each of these records; the whole record if it is shorter. */
  readonly beginnings: readonly Buffer[];
  /** The records, and between them the bytes that belong to no sound record. */
  readonly parts: readonly LogPart[];
  /**
   * The offset of the first bytes that are no sound record although another record follows; `undefined` if there are no such
   * bytes.
   */
  readonly damagedAt: number | undefined;
}

interface LogPart {
  /** A record, or bytes that may hold whole rows; without the headers of blocks. */
  readonly bytes: Buffer;
  readonly isRecord: boolean;
}

const BEGINNING_BYTES = 12;

interface Fragment {
  readonly type: number;
  readonly data: Buffer;
  readonly end: number;
  readonly isProven: boolean;
}

interface SoundRecord {
  readonly start: number;
  readonly end: number;
  readonly fragments: readonly Buffer[];
}

interface UnfinishedRecord {
  readonly start: number;
  readonly fragments: Buffer[];
  isProven: boolean;
}

/** Reads all sound records: after bytes that are no fragment, it looks for the next fragment. */
export function readLog(bytes: Buffer): LogContent {
  const sound: SoundRecord[] = [];
  let record: UnfinishedRecord | undefined;
  let badAt: number | undefined;
  let damagedAt: number | undefined;
  // Whether a fragment should begin here. Elsewhere, only bytes with a right checksum count as a fragment.
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
      // Only one write is under way at a time. So a record was complete once if another record begins after it.
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
          const { start, fragments } = record;
          if (record.isProven) sound.push({ start, end: fragment.end, fragments });
          record = undefined;
        }
      }
    }
    // The checksum may be wrong because the length is wrong. Then the next fragment does not begin where this one says.
    isAligned =
      fragment !== undefined && (isProven || (isAligned && isFollowed(bytes, fragment.end, blockEnd)));
    if (!isAligned) record = undefined;
    offset = isAligned ? (fragment?.end ?? offset + 1) : offset + 1;
  }
  return {
    get records() {
      return sound.map(({ fragments }) => joined(fragments));
    },
    get beginnings() {
      return sound.map(({ fragments }) => beginningOf(fragments));
    },
    parts: partsOf(bytes, sound, end),
    damagedAt,
  };
}

/** Reads a log as {@link readLog} does, after correcting fragments that have one wrong bit. */
export function readMendedLog(bytes: Buffer): LogContent {
  const content = readLog(bytes);
  return content.parts.every(({ isRecord }) => isRecord) ? content : readLog(mended(bytes));
}

function mended(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const end = withoutZeros(bytes);
  let isGap = false;
  for (let offset = 0; offset < end;) {
    const blockEnd = offset - (offset % BLOCK_BYTES) + BLOCK_BYTES;
    const limit = Math.min(blockEnd, copy.length);
    if (blockEnd - offset < HEADER_BYTES) {
      offset = blockEnd;
      isGap = false;
      continue;
    }
    let fragment = fragmentAt(copy, offset, limit);
    // Only where a fragment should begin.
    const isAligned = !isGap || offset % BLOCK_BYTES === 0;
    if (fragment?.isProven !== true && isAligned && mendFragment(copy, offset, limit)) {
      fragment = fragmentAt(copy, offset, limit);
    }
    isGap = fragment?.isProven !== true;
    offset = isGap ? offset + 1 : (fragment?.end ?? blockEnd);
  }
  return copy;
}

/** Corrects the fragment at an offset if exactly one of its bits is wrong. */
function mendFragment(bytes: Buffer, offset: number, limit: number): boolean {
  if (offset + HEADER_BYTES > limit) return false;
  const start = offset + HEADER_BYTES;
  const length = bytes.readUInt16LE(offset + 4);
  const checksum = bytes.readUInt32LE(offset);
  for (let bit = 0; bit < LENGTH_BITS; bit++) {
    const other = length ^ (1 << bit);
    if (start + other > limit || !hasChecksum(bytes, offset + 6, start + other, checksum)) continue;
    bytes.writeUInt16LE(other, offset + 4);
    return true;
  }
  if (start + length > limit) return false;
  const wrong = findWrongBit(bytes, offset + 6, start + length, checksum);
  if (wrong === undefined) return false;
  if (wrong === 'checksum') bytes.writeUInt32LE(checksumOf(bytes, offset + 6, start + length), offset);
  else bytes.writeUInt8(bytes.readUInt8(wrong.at) ^ wrong.mask, wrong.at);
  return true;
}

/** The sound records of a log and the bytes between them, in order. */
function partsOf(bytes: Buffer, sound: readonly SoundRecord[], end: number): readonly LogPart[] {
  const parts: LogPart[] = [];
  const addGap = (from: number, to: number): void => {
    if (from === to) return;
    const gap = withoutHeaders(bytes, from, to);
    // Zeros only fill the end of a block.
    if (gap.some((byte) => byte !== 0)) parts.push({ bytes: gap, isRecord: false });
  };
  let from = 0;
  for (const { start, end, fragments } of sound) {
    addGap(from, start);
    parts.push({
      get bytes() {
        return joined(fragments);
      },
      isRecord: true,
    });
    from = end;
  }
  // Zeros at the end may belong to a row.
  addGap(from, Math.min(bytes.length, end + ZEROS.length));
  return parts;
}

/** Bytes without the headers at the beginnings of blocks. So the rows of a record that spans several blocks are whole. */
function withoutHeaders(bytes: Buffer, from: number, to: number): Buffer {
  const pieces: Buffer[] = [];
  for (let start = from; start < to;) {
    const blockEnd = start - (start % BLOCK_BYTES) + BLOCK_BYTES;
    const isBlockStart = start % BLOCK_BYTES === 0;
    pieces.push(bytes.subarray(isBlockStart ? start + HEADER_BYTES : start, Math.min(blockEnd, to)));
    start = blockEnd;
  }
  return Buffer.concat(pieces);
}

/**
 * The length without most of the zeros at the end, which are the room in a log (see `log-room.ts`). Looking for records in them
 * would take long.
 */
function withoutZeros(bytes: Buffer): number {
  let end = bytes.length;
  while (end >= ZEROS.length && bytes.subarray(end - ZEROS.length, end).equals(ZEROS)) end -= ZEROS.length;
  return end;
}

function beginningOf(fragments: readonly Buffer[]): Buffer {
  const [first] = fragments;
  return first !== undefined && first.length >= BEGINNING_BYTES ? first : joined(fragments);
}

/** Joins the fragments of a record. A single fragment, as nearly all records have, is not copied. */
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
