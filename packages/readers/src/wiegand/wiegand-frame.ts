/** A pulse on D0 is 0, a pulse on D1 is 1. */
export type Bit = 0 | 1;

/**
 * Lengths of frames with a known parity, in bits.
 *
 * ```
 * 26 34 42 50 58 66 74 82   even parity, 3 to 10 bytes, odd parity: the first bit makes the number of ones in the first
 *                           half even, the last bit makes that in the second half odd
 * 37                        the same around 35 bits; the middle bit counts in both halves
 * ```
 *
 * @see HID's H10301 (26), H10306 (34), H10302 and H10304 (37; these two differ in the meaning of the 35 bits).
 */
export const PARITY_LENGTHS: readonly number[] = [26, 34, 37, 42, 50, 58, 66, 74, 82];

/** Lengths of the supported frames, in bits: those with a known parity, 20 to 64, 72 and 80. */
export const WIEGAND_LENGTHS: readonly number[] = [
  ...Array.from({ length: 45 }, (_, index) => 20 + index),
  ...[66, 72, 74, 80, 82],
];

/**
 * Takes the bytes out of a frame whose length is in {@link WIEGAND_LENGTHS}, the most significant first. Without a known
 * parity, all bits are the id. Bits that fill no whole bytes become the last bits of the bytes.
 *
 * @returns `undefined` if a parity is wrong.
 */
export function decodeFrame(bits: readonly Bit[]): Uint8Array | undefined {
  if (!PARITY_LENGTHS.includes(bits.length)) return toBytes(bits);
  const data = bits.slice(1, -1);
  const checked = Math.ceil(data.length / 2) + 1;
  const isSound = countOnes(bits.slice(0, checked)) % 2 === 0 && countOnes(bits.slice(-checked)) % 2 === 1;
  return isSound ? toBytes(data) : undefined;
}

function countOnes(bits: readonly Bit[]): number {
  return bits.filter((bit) => bit === 1).length;
}

function toBytes(bits: readonly Bit[]): Uint8Array {
  const digits = 2 * Math.ceil(bits.length / 8);
  return Buffer.from(
    BigInt(`0b${bits.join('')}`)
      .toString(16)
      .padStart(digits, '0'),
    'hex',
  );
}
