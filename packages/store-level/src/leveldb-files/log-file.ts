import { hasChecksum } from './crc32c.js';

/*
 * A log of LevelDB; its MANIFEST has the same form. A log consists of blocks of 32 KiB, and a block of fragments. Before each
 * fragment are its checksum (4 bytes), length (2) and type (1). A record is one fragment or several in a row; fewer than seven
 * bytes at the end of a block are padding.
 */
const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
/** A record of rows begins with the sequence number of its first row (8 bytes) and the number of rows (4). */
const BEGINNING_BYTES = 12;
const SEQUENCE_BYTES = 6;
const COUNT_AT = 8;
const ZEROS = Buffer.alloc(4_096);
const FULL = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

/** Content of a log. A record in several blocks is joined only when it is read, because joining takes memory. */
export interface LogContent {
  /** The records with right checksums, in the order in which they were written. */
  readonly records: readonly Buffer[];
  /** At least the first twelve bytes of each of these records; the whole record if it is shorter. */
  readonly beginnings: readonly Buffer[];
  /** The records, and between them the bytes that belong to no sound record. */
  readonly parts: readonly LogPart[];
  /** The offset of the first bytes that are not a sound record although another record follows; `undefined` without such bytes. */
  readonly damagedAt: number | undefined;
}

interface LogPart {
  /** A record, or bytes that may hold whole rows; without the headers of blocks. */
  readonly bytes: Buffer;
  readonly isRecord: boolean;
}

interface Fragment {
  readonly type: number;
  readonly data: Buffer;
  readonly end: number;
}

interface SoundRecord {
  readonly start: number;
  readonly end: number;
  readonly fragments: readonly Buffer[];
}

/** Reads all sound records: after bytes that are not a sound fragment, it looks for the next one at every offset. */
export function readLog(bytes: Buffer): LogContent {
  const sound: SoundRecord[] = [];
  let record: { readonly start: number; readonly fragments: Buffer[] } | undefined;
  let badAt: number | undefined;
  let damagedAt: number | undefined;
  const end = withoutZeros(bytes);
  for (let offset = 0; offset < end;) {
    const blockEnd = offset - (offset % BLOCK_BYTES) + BLOCK_BYTES;
    if (blockEnd - offset < HEADER_BYTES) {
      offset = blockEnd;
      continue;
    }
    const fragment = soundFragmentAt(bytes, offset, Math.min(blockEnd, bytes.length));
    if (fragment === undefined) {
      badAt ??= record?.start ?? offset;
      record = undefined;
      offset++;
      continue;
    }
    if (fragment.type === FULL || fragment.type === FIRST) {
      // Only one write is under way at a time. So a record was complete once if another record begins after it.
      damagedAt ??= badAt ?? record?.start;
      badAt = undefined;
      record = { start: offset, fragments: [] };
    }
    if (record === undefined) badAt ??= offset;
    record?.fragments.push(fragment.data);
    if (record !== undefined && (fragment.type === FULL || fragment.type === LAST)) {
      sound.push({ ...record, end: fragment.end });
      record = undefined;
    }
    offset = fragment.end;
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

function soundFragmentAt(bytes: Buffer, offset: number, limit: number): Fragment | undefined {
  const start = offset + HEADER_BYTES;
  if (start > limit) return undefined;
  const type = bytes.readUInt8(offset + 6);
  const end = start + bytes.readUInt16LE(offset + 4);
  if (type < FULL || type > LAST || end > limit) return undefined;
  if (!hasChecksum(bytes, offset + 6, end, bytes.readUInt32LE(offset))) return undefined;
  return { type, data: bytes.subarray(start, end), end };
}

/** The sound records of a log and the bytes between them, in order. */
function partsOf(bytes: Buffer, sound: readonly SoundRecord[], end: number): readonly LogPart[] {
  const parts: LogPart[] = [];
  const addGap = (from: number, to: number): void => {
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

/**
 * Whether the records of a log are in their order. LevelDB numbers all changes, and ends the process if a number occurs twice,
 * for example because a disk has written a block to a second place.
 *
 * @param records The first twelve bytes of each are enough.
 */
export function areInOrder(records: readonly Buffer[]): boolean {
  let next = 0;
  for (const record of records) {
    if (record.length < BEGINNING_BYTES) return false;
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
    const begins = type === FULL || type === FIRST;
    if (begins === isAmidRecord || type > LAST) return offset;
    isAmidRecord = type === FIRST || type === MIDDLE;
    offset = end;
  }
  return undefined;
}

/** Whether the fragment at an offset, which has room for a header there, has the right checksum. */
export function hasSoundFragment(bytes: Buffer, offset: number): boolean {
  const end = offset + HEADER_BYTES + bytes.readUInt16LE(offset + 4);
  return end <= bytes.length && hasChecksum(bytes, offset + 6, end, bytes.readUInt32LE(offset));
}
