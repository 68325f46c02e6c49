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
/** What a byte does to the checksum that so many others follow: a table for each number of them, one behind the other. */
const following = new Int32Array(8 * 256);
following.set(table);
for (let at = 256; at < following.length; at++) following[at] = step(following[at - 256] ?? 0);

/** Whether the checksum of the bytes from `start` up to, and without, `end` is `expected`, as LevelDB stores it. */
export function hasChecksum(bytes: Buffer, start: number, end: number, expected: number): boolean {
  return checksumOf(bytes, start, end) === expected;
}

/** The checksum of the bytes from `start` up to, and without, `end`, as LevelDB stores it. */
export function checksumOf(bytes: Buffer, start: number, end: number): number {
  return masked(stateOf(bytes, start, end));
}

/** The first place, before a limit, up to and without which the bytes have the checksum that stands there. */
export function findChecksum(bytes: Buffer, start: number, limit: number): number | undefined {
  let state = START;
  const last = Math.min(limit, bytes.length - 4);
  for (let at = start; at < last; at++) {
    state = step(state, bytes[at]);
    if (masked(state) === bytes.readUInt32LE(at + 1)) return at + 1;
  }
  return undefined;
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
  // What a bit of the last byte does to the checksum, then the same bit of the byte before it, and so on.
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
  const length = end - start;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, length);
  let state = START;
  let at = 0;
  // Eight bytes at a time: every start looks at all tables, and byte by byte takes six times as long.
  for (; at + 8 <= length; at += 8) {
    const first = state ^ view.getInt32(at, true);
    const second = view.getInt32(at + 4, true);
    state =
      (following[0x700 + (first & 0xff)] ?? 0) ^
      (following[0x600 + ((first >>> 8) & 0xff)] ?? 0) ^
      (following[0x500 + ((first >>> 16) & 0xff)] ?? 0) ^
      (following[0x400 + (first >>> 24)] ?? 0) ^
      (following[0x300 + (second & 0xff)] ?? 0) ^
      (following[0x200 + ((second >>> 8) & 0xff)] ?? 0) ^
      (following[0x100 + ((second >>> 16) & 0xff)] ?? 0) ^
      (following[second >>> 24] ?? 0);
  }
  for (; at < length; at++) state = step(state, view.getUint8(at));
  return state;
}

function step(state: number, byte = 0): number {
  return (state >>> 8) ^ (table[(state ^ byte) & 0xff] ?? 0);
}

/** Changed, so that the checksum of bytes that hold a checksum is not a trivial one. */
function masked(state: number): number {
  const crc = ~state >>> 0;
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0;
}

/** The state of which {@link masked} makes a checksum. */
function unmasked(checksum: number): number {
  const turned = (checksum - MASK) >>> 0;
  return ~((turned << 15) | (turned >>> 17)) >>> 0;
}
