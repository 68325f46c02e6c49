import { isTallybookError, parseReadId, parseTallyId } from '@tallybook/domain';
import type { DecodedFrame } from './frame-decoder.js';

export interface Em4100Options {
  /**
   * `keep` makes the checksum the last byte of the id, after it was checked: for the records of systems that stored all
   * 12 digits. Default `drop`.
   */
  readonly checksum?: 'drop' | 'keep' | undefined;
}

const DIGITS = /^[0-9a-f]{12}$/i;

/** Describes the error in 12 characters that should be the 5 bytes of an EM4100 tag and their XOR, in hex. */
export function findDigitsProblem(text: string): string | undefined {
  if (!DIGITS.test(text)) return 'a frame with other characters than hex digits';
  const sum = Buffer.from(text, 'hex').reduce((xor, byte) => xor ^ byte, 0);
  return sum === 0 ? undefined : 'a frame with a wrong checksum';
}

/** Makes an id of 12 such digits without an error. */
export function takeDigits(digits: string, { checksum }: Em4100Options): DecodedFrame {
  try {
    const id = parseReadId(digits.slice(0, 10));
    return { id: checksum === 'keep' ? parseTallyId(digits) : id };
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return { fault: error };
  }
}
