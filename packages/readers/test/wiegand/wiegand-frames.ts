import type { Bit, Pulse } from '../../src/wiegand/wiegand-frame.js';

/** Makes the frame of an id from its bits, with parity, unless its length has none. */
export function encodeBits(data: string, isPlain = false): string {
  if (isPlain) return data;
  const half = Math.ceil(data.length / 2);
  const ones = (part: string): number => part.replaceAll('0', '').length;
  return `${ones(data.slice(0, half)) % 2}${data}${1 - (ones(data.slice(-half)) % 2)}`;
}

/** The bits of an id in hex, the last `length` of them. */
export function bitsOf(id: string, length = 4 * id.length): string {
  return BigInt(`0x${id}`).toString(2).padStart(length, '0').slice(-length);
}

/** Pulses at even distances. */
export function pulsesOf(bits: string, atUs = 1_000_000, distanceUs = 1_000): Pulse[] {
  return Array.from(bits, (bit, index) => ({ bit: Number(bit) as Bit, atUs: atUs + index * distanceUs }));
}
