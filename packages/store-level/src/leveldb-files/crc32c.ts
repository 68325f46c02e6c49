/*
 * CRC-32C, the checksum that LevelDB gives the records of its logs and the blocks of its tables. Node has only
 * CRC-32, which has another polynomial.
 */

const POLYNOMIAL = 0x82f63b78;
const START = -1;
const MASK = 0xa282ead8;

/** Signed, as the operators on bits give it: a number of 32 bits without a sign is an object of its own until V8 has compiled the loop. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
/** How many bytes are taken at a time. */
const STEP_BYTES = 16;
/** The effect of a byte on the checksum when so many other bytes follow: a table for each number of them, one after the other. */
const following = new Int32Array(STEP_BYTES * 256);
following.set(table);
for (let at = 256; at < following.length; at++) following[at] = step(following[at - 256] ?? 0);

const ROOM_BYTES = 32_768;
/**
 * Bytes are copied here first: of an `ArrayBuffer` that can be resized, as that of a `WholeFile`, V8 reads numbers four times as
 * slowly.
 */
const room = Buffer.alloc(ROOM_BYTES);
const view = new DataView(room.buffer, room.byteOffset, ROOM_BYTES);

/** Whether the checksum of the bytes from `start` up to, and without, `end` is `expected`, as LevelDB stores it. */
export function hasChecksum(bytes: Buffer, start: number, end: number, expected: number): boolean {
  return checksumOf(bytes, start, end) === expected;
}

/** The checksum of the bytes from `start` up to, and without, `end`, as LevelDB stores it. */
export function checksumOf(bytes: Buffer, start: number, end: number): number {
  return masked(stateOf(bytes, start, end));
}

/** The first place, before a limit, that holds the checksum of the bytes from the start up to it. */
export function findChecksum(bytes: Buffer, start: number, limit: number): number | undefined {
  let state = START;
  const last = Math.min(limit, bytes.length - 4);
  for (let at = start; at < last; at++) {
    state = step(state, bytes[at]);
    if (masked(state) === bytes.readUInt32LE(at + 1)) return at + 1;
  }
  return undefined;
}

/** So often is enough for V8 to begin compiling the loops. */
const REHEARSALS = 8;
/** Not a multiple of the step, so that the second loop runs too: V8 throws away code that it compiled without having seen that. */
const REHEARSED = Buffer.from(following.buffer, 0, 4_093);

/** Has V8 compile the checksum, on another thread, before there is much to check: without that it takes ten times as long. */
export function rehearseChecksums(): void {
  for (let n = 0; n < REHEARSALS; n++) stateOf(REHEARSED, 0, REHEARSED.length);
}

/** A bit of a byte: `mask` has the bit alone. */
export interface Bit {
  readonly at: number;
  readonly mask: number;
}

/**
 * Finds the one bit that is wrong, if it is no more than one: the checksum tells which.
 *
 * @param expected The checksum as LevelDB stores it.
 * @returns `'checksum'` if the bit is one of the checksum itself, `undefined` if it is not one bit that is wrong.
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
  // The effect of a bit of the last byte on the checksum, then of the same bit of the byte before it, and so on.
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

/** The state after the bytes that lie in the room. */
function stateAfterRoom(before: number, length: number): number {
  let state = before;
  let at = 0;
  // Sixteen bytes at a time: every start looks at all logs, and byte by byte takes nine times as long.
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

/** Masks a checksum as LevelDB does, so that bytes that hold a checksum do not have a trivial one. */
function masked(state: number): number {
  const crc = ~state >>> 0;
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0;
}

/** The state of which {@link masked} makes a checksum. */
function unmasked(checksum: number): number {
  const turned = (checksum - MASK) >>> 0;
  return ~((turned << 15) | (turned >>> 17)) >>> 0;
}
