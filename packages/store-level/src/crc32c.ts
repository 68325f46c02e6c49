/*
 * CRC-32C, the checksum that LevelDB gives the records of its logs and the blocks of its tables. Node has only
 * CRC-32, which has another polynomial.
 */

const POLYNOMIAL = 0x82f63b78;
const START = 0xffffffff;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** Whether the checksum of the bytes from `start` up to, and without, `end` is `expected`, as LevelDB stores it. */
export function hasChecksum(bytes: Buffer, start: number, end: number, expected: number): boolean {
  let state = START;
  for (let at = start; at < end; at++) state = step(state, bytes[at]);
  return masked(state) === expected;
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

function step(state: number, byte = 0): number {
  return (state >>> 8) ^ (table[(state ^ byte) & 0xff] ?? 0);
}

/** Changed, so that the checksum of bytes that hold a checksum is not a trivial one. */
function masked(state: number): number {
  const crc = ~state >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
