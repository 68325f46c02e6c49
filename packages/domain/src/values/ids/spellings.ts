import { counted, TallybookError } from '../../errors.js';
import { parseTallyId, type TallyId } from '../tally-id.js';

/** Names of the spellings in a URL. The ids of `text` are hashes, which {@link hashText} makes. */
export const spellingNames = [
  'hex',
  'hex-xor',
  'dec',
  'dec8',
  'dec10',
  'dec13',
  'dec3-5',
  'dec5-5',
  'wiegand26',
  'text',
] as const;

export type SpellingName = (typeof spellingNames)[number];

/** One way in which readers write an id. */
export interface Spelling {
  /** Throws `INVALID_TALLY_ID` if the text is not written in this way. */
  readonly parse: (text: string) => TallyId;
  /** Bytes of an id in this spelling; `undefined` if there is no fixed number. */
  readonly bytes: number | undefined;
  /** Description of the texts, for errors; `undefined` for hex. */
  readonly allowed?: string;
  /** Brings the leading zeros of a number as people write it to those of this spelling. Spreadsheets drop them. */
  readonly fixZeros?: (text: string) => string;
}

/**
 * The spellings. For an EM4100 tag with the bytes V A B C D, such as 01 00 63 E9 AE:
 *
 * ```
 * hex        010063E9AE     any id of 3 to 10 bytes
 * hex-xor    010063E9AE25   the same with the XOR of its bytes at the end
 * dec13      0004301515182  V A B C D as one number, with leading zeros or without
 * dec10      0006547886     A B C D as one number
 * dec5-5     00099,59822    A B and C D
 * dec8       06547886       B C D as one number
 * dec3-5     099,59822      B and C D: printed on most cards beside the number of ten digits
 * dec        6547886        A B C D without leading zeros
 * wiegand26  6547886        B C D without leading zeros: facility code and card number in one
 * text                      any text instead of bytes; the id is the hash of the text: text-id.ts
 * ```
 *
 * @see cmdlfem410x.c of Proxmark3, whose DEZ 3.5C is dec3-5 here.
 */
export const spellings: Readonly<Record<Exclude<SpellingName, 'text'>, Spelling>> = {
  hex: { parse: parseTallyId, bytes: undefined },
  'hex-xor': { parse: parseWithSum, bytes: undefined },
  dec: decimal('a whole number without leading zeros up to 4294967295', /^(0|[1-9][0-9]{0,9})$/, [4]),
  dec8: decimal('8 decimal digits up to 16777215', /^([0-9]{8})$/, [3], 8),
  dec10: decimal('10 decimal digits up to 4294967295', /^([0-9]{10})$/, [4], 10),
  dec13: decimal(
    '12 or 13 decimal digits up to 1099511627775, or fewer without leading zeros',
    /^([0-9]{12,13}|[1-9][0-9]{0,10})$/,
    [5],
    13,
  ),
  'dec3-5': decimal(
    '3 digits up to 255 and 5 up to 65535, such as 099,59822',
    /^([0-9]{3})[ ,.:/-]?([0-9]{5})$/,
    [1, 2],
    8,
  ),
  'dec5-5': decimal(
    'twice 5 digits up to 65535, such as 00099,59822',
    /^([0-9]{5})[ ,.:/-]?([0-9]{5})$/,
    [2, 2],
    10,
  ),
  wiegand26: decimal('a whole number without leading zeros up to 16777215', /^(0|[1-9][0-9]{0,7})$/, [3]),
};

const LIKE_A_NUMBER = /^[0-9 ,.:/-]*$/;
const LEADING_ZEROS = /^0+(?=[0-9])/;
const DIGITS = /[0-9]/g;
const BYTES = /../g;

/**
 * @param allowed Description of the allowed texts, for the error.
 * @param pattern With a group for each part.
 * @param widths Number of bytes of each part.
 * @param digits Number of digits, with leading zeros. Default 0: there are no leading zeros.
 */
function decimal(allowed: string, pattern: RegExp, widths: readonly number[], digits = 0): Spelling {
  return {
    allowed,
    fixZeros: (text) => (digits === 0 ? text.replace(LEADING_ZEROS, '') : padded(text, digits)),
    bytes: widths.reduce((sum, width) => sum + width, 0),
    parse: (text) => {
      const parts = (pattern.exec(text) ?? []).slice(1).map(Number);
      const isWithin = widths.every((width, index) => (parts[index] ?? Infinity) < 256 ** width);
      if (!isWithin) throw invalid(`an id in this format is ${allowed}; got ${describe(text)}`);
      return parseTallyId(widths.map((width, index) => toHex(parts[index] ?? 0, width)).join(''));
    },
  };
}

/** Adds zeros until the text has this number of digits. A separator is not one. */
function padded(text: string, digits: number): string {
  return text.padStart(digits + text.replaceAll(DIGITS, '').length, '0');
}

function parseWithSum(text: string): TallyId {
  const id = parseTallyId(text);
  // The XOR of all bytes and the checksum is 0 if the checksum is right.
  if ((id.match(BYTES) ?? []).reduce((xor, byte) => xor ^ parseInt(byte, 16), 0) !== 0) {
    throw invalid(
      `an id in this format ends with the XOR of its bytes; the XOR of these ${text.length} characters is wrong`,
    );
  }
  return parseTallyId(id.slice(0, -2));
}

function toHex(number: number, bytes: number): string {
  return number.toString(16).padStart(2 * bytes, '0');
}

/** Describes a text without showing it. It may be most of an id, or a name typed at a reader, and errors are logged. */
function describe(text: string): string {
  const others = LIKE_A_NUMBER.test(text) ? '' : ', some of them not digits';
  return `${counted(text.length, 'character')}${others}`;
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_TALLY_ID', message);
}
