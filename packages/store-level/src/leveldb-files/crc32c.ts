/*
 * CRC-32C, the checksum of the records in LevelDB's logs and of the blocks in its tables. Node has only CRC-32, which uses
 * another polynomial.
 */

const POLYNOMIAL = 0x82f63b78;
const START = -1;
const MASK = 0xa282ead8;

/**
 * Signed numbers, as bitwise operators give: until V8 has compiled the loop, each unsigned number of 32 bits is an object of its
 * own.
 */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
/** How many bytes are added to the checksum at a time. */
const STEP_BYTES = 16;
/** The effect of a byte on the checksum: a table of 256 values for each number of bytes that follow it, from 0 to 15. */
const following = new Int32Array(STEP_BYTES * 256);
following.set(table);
for (let at = 256; at < following.length; at++) following[at] = step(following[at - 256] ?? 0);

const ROOM_BYTES = 32_768;
/**
 * Bytes are copied here first: V8 reads numbers four times as slowly from a resizable `ArrayBuffer`, such as that of a
 * `WholeFile`.
 */
const room = Buffer.alloc(ROOM_BYTES);
const view = new DataView(room.buffer, room.byteOffset, ROOM_BYTES);

/** Whether the bytes from `start` to `end` (excluded) have the checksum `expected`, as LevelDB stores it. */
export function hasChecksum(bytes: Buffer, start: number, end: number, expected: number): boolean {
  return checksumOf(bytes, start, end) === expected;
}

/** The checksum of the bytes from `start` to `end` (excluded), as LevelDB stores it. */
export function checksumOf(bytes: Buffer, start: number, end: number): number {
  return masked(stateOf(bytes, start, end));
}

/** The first offset, before a limit, that holds the checksum of the bytes from `start` to that offset. */
export function findChecksum(bytes: Buffer, start: number, limit: number): number | undefined {
  let state = START;
  const last = Math.min(limit, bytes.length - 4);
  for (let at = start; at < last; at++) {
    state = step(state, bytes[at]);
    if (masked(state) === bytes.readUInt32LE(at + 1)) return at + 1;
  }
  return undefined;
}

/** Repetitions after which V8 begins to compile the loops. */
const REHEARSALS = 8;
/**
 * Its length is not a multiple of the step, so that the second loop runs too. Otherwise V8 would discard the compiled code when
 * that loop first runs.
 */
const REHEARSED = Buffer.from(following.buffer, 0, 4_093);

/** Makes V8 compile the checksum on another thread, before large files are checked. Uncompiled code takes ten times as long. */
export function rehearseChecksums(): void {
  for (let n = 0; n < REHEARSALS; n++) stateOf(REHEARSED, 0, REHEARSED.length);
}

/** A bit of a byte: only this bit is set in `mask`. */
export interface Bit {
  readonly at: number;
  readonly mask: number;
}

/**
 * Finds the wrong bit by the checksum, if only one bit is wrong.
 *
 * @param expected The checksum as LevelDB stores it.
 * @returns `'checksum'` if the bit is one of the checksum itself; `undefined` if more bits are wrong.
 */
export function findWrongBit(
  bytes: Buffer,
  start: number,
  end: number,
  expected: number,
): Bit | 'checksum' | undefined {
  const state = stateOf(bytes, start, end);
  if (isOneBit(masked(state) ^ expected)) return 'checksum';
  const difference = (state ^ unmasked(expected)) >>> 0;
  // The effect on the checksum of a bit of the last byte, then of the same bit of the byte before it, and so on.
  for (let bit = 0; bit < 8; bit++) {
    const mask = 1 << bit;
    let effect = (table[mask] ?? 0) >>> 0;
    for (let at = end - 1; at >= start; at--) {
      if (effect === difference) return { at, mask };
      effect = ((effect >>> 8) ^ (table[effect & 0xff] ?? 0)) >>> 0;
    }
  }
  return undefined;
}

function isOneBit(difference: number): boolean {
  return difference !== 0 && (difference & (difference - 1)) === 0;
}

function stateOf(bytes: Buffer, start: number, end: number): number {
  let state = START;
  for (let at = start; at < end; at += ROOM_BYTES) {
    const length = bytes.copy(room, 0, at, Math.min(end, at + ROOM_BYTES));
    state = stateAfterRoom(state, length);
  }
  return state;
}

/** The state of the checksum after the bytes that were copied to `room`. */
function stateAfterRoom(before: number, length: number): number {
  let state = before;
  let at = 0;
  // Sixteen bytes at a time: every start checks all logs, and byte by byte takes nine times as long.
  for (; at + STEP_BYTES <= length; at += STEP_BYTES) {
    const first = state ^ view.getInt32(at, true);
    const second = view.getInt32(at + 4, true);
    const third = view.getInt32(at + 8, true);
    const fourth = view.getInt32(at + 12, true);
    state =
      (following[0xf00 + (first & 0xff)] ?? 0) ^
      (following[0xe00 + ((first >>> 8) & 0xff)] ?? 0) ^
      (following[0xd00 + ((first >>> 16) & 0xff)] ?? 0) ^
      (following[0xc00 + (first >>> 24)] ?? 0) ^
      (following[0xb00 + (second & 0xff)] ?? 0) ^
      (following[0xa00 + ((second >>> 8) & 0xff)] ?? 0) ^
      (following[0x900 + ((second >>> 16) & 0xff)] ?? 0) ^
      (following[0x800 + (second >>> 24)] ?? 0) ^
      (following[0x700 + (third & 0xff)] ?? 0) ^
      (following[0x600 + ((third >>> 8) & 0xff)] ?? 0) ^
      (following[0x500 + ((third >>> 16) & 0xff)] ?? 0) ^
      (following[0x400 + (third >>> 24)] ?? 0) ^
      (following[0x300 + (fourth & 0xff)] ?? 0) ^
      (following[0x200 + ((fourth >>> 8) & 0xff)] ?? 0) ^
      (following[0x100 + ((fourth >>> 16) & 0xff)] ?? 0) ^
      (following[fourth >>> 24] ?? 0);
  }
  for (; at < length; at++) state = step(state, view.getUint8(at));
  return state;
}

function step(state: number, byte = 0): number {
  return (state >>> 8) ^ (table[(state ^ byte) & 0xff] ?? 0);
}

/** Masks a checksum as LevelDB does: without that, bytes that contain their own checksum would have a trivial one. */
function masked(state: number): number {
  const crc = ~state >>> 0;
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0;
}

/** The inverse of {@link masked}. */
function unmasked(checksum: number): number {
  const turned = (checksum - MASK) >>> 0;
  return ~((turned << 15) | (turned >>> 17)) >>> 0;
}
