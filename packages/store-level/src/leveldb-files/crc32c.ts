/*
 * CRC-32C, the checksum of the records in LevelDB's logs and of the blocks in its tables. Node has only CRC-32, which uses
 * another polynomial.
 */

const POLYNOMIAL = 0x82f63b78;
const MASK = 0xa282ead8;

/** Signed numbers, as bitwise operators give: an unsigned number of 32 bits may be an object of its own. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** Whether the bytes from `start` to `end` (excluded) have the checksum `expected`, as LevelDB stores it. */
export function hasChecksum(bytes: Buffer, start: number, end: number, expected: number): boolean {
  let state = -1;
  for (let at = start; at < end; at++)
    state = (state >>> 8) ^ (table[(state ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  // LevelDB masks a checksum: otherwise bytes that contain their own checksum would have a trivial one.
  const crc = ~state >>> 0;
  return (((crc >>> 15) | (crc << 17)) + MASK) >>> 0 === expected;
}
