import { counted, parseTallyId, TallybookError, type TallyId } from '@tallybook/domain';
import { hashText } from './text-id.js';

/** Names of the spellings in a URL. */
export type SpellingName =
  | 'hex'
  | 'hex-xor'
  | 'dec'
  | 'dec8'
  | 'dec10'
  | 'dec13'
  | 'dec3-5'
  | 'dec5-5'
  | 'wiegand26'
  | 'text';

/** One way in which readers write an id. */
interface Spelling {
  /** Throws `INVALID_TALLY_ID` if the text is not written in this way. */
  readonly parse: (text: string) => TallyId;
  /** Bytes of an id in this spelling; `undefined` if there is no fixed number. */
  readonly bytes: number | undefined;
}

/**
 * The spellings. For an EM4100 tag with the bytes V A B C D, such as 01 00 63 E9 AE:
 *
 * ```
 * hex        010063E9AE     any id of 3 to 10 bytes
 * hex-xor    010063E9AE25   the same with the XOR of its bytes at the end
 * dec13      0004301515182  V A B C D as one number
 * dec10      0006547886     A B C D as one number
 * dec5-5     00099,59822    A B and C D
 * dec8       06547886       B C D as one number
 * dec3-5     099,59822      B and C D: printed on most cards beside the number of ten digits
 * dec        6547886        A B C D without leading zeros
 * wiegand26  6547886        B C D without leading zeros: facility code and card number in one
 * text                      any text instead of bytes; the id is the hash of the text
 * ```
 *
 * @see cmdlfem410x.c of Proxmark3, whose DEZ 3.5C is dec3-5 here.
 */
export const spellings: Readonly<Record<SpellingName, Spelling>> = {
  hex: { parse: parseTallyId, bytes: undefined },
  'hex-xor': { parse: parseWithSum, bytes: undefined },
  dec: decimal('a whole number without leading zeros up to 4294967295', /^(0|[1-9][0-9]{0,9})$/, [4]),
  dec8: decimal('8 decimal digits up to 16777215', /^([0-9]{8})$/, [3]),
  dec10: decimal('10 decimal digits up to 4294967295', /^([0-9]{10})$/, [4]),
  dec13: decimal('12 or 13 decimal digits up to 1099511627775', /^([0-9]{12,13})$/, [5]),
  'dec3-5': decimal(
    '3 digits up to 255 and 5 up to 65535, such as 099,59822',
    /^([0-9]{3})[ ,.:/-]?([0-9]{5})$/,
    [1, 2],
  ),
  'dec5-5': decimal(
    'twice 5 digits up to 65535, such as 00099,59822',
    /^([0-9]{5})[ ,.:/-]?([0-9]{5})$/,
    [2, 2],
  ),
  wiegand26: decimal('a whole number without leading zeros up to 16777215', /^(0|[1-9][0-9]{0,7})$/, [3]),
  text: { parse: hashText, bytes: undefined },
};

const LIKE_A_NUMBER = /^[0-9 ,.:/-]*$/;

/**
 * @param allowed Description of the allowed texts, for the error.
 * @param pattern With a group for each part.
 * @param widths Number of bytes of each part.
 */
function decimal(allowed: string, pattern: RegExp, widths: readonly number[]): Spelling {
  return {
    bytes: widths.reduce((sum, width) => sum + width, 0),
    parse: (text) => {
      const parts = (pattern.exec(text) ?? []).slice(1).map(Number);
      const isWithin = widths.every((width, index) => (parts[index] ?? Infinity) < 256 ** width);
      if (!isWithin) throw invalid(`an id in this format is ${allowed}; got ${describe(text)}`);
      return parseTallyId(widths.map((width, index) => toHex(parts[index] ?? 0, width)).join(''));
    },
  };
}

function parseWithSum(text: string): TallyId {
  const bytes = Buffer.from(parseTallyId(text), 'hex');
  // The XOR of all bytes and the checksum is 0 if the checksum is right.
  if (bytes.reduce((xor, byte) => xor ^ byte, 0) !== 0) {
    throw invalid(
      `an id in this format ends with the XOR of its bytes; the XOR of these ${text.length} characters is wrong`,
    );
  }
  return parseTallyId(bytes.toString('hex', 0, bytes.length - 1));
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
