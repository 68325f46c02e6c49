import { counted } from '../../counted.js';
import { TallybookError } from '../../errors.js';
import { parseTallyId, TALLY_ID_MAX_BYTES, type TallyId } from '../tally-id.js';

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits, like `digest` of `Secrets`. */
export type Digest = (text: string) => string;

/**
 * Control characters, half surrogate pairs, the replacement of unreadable bytes or keys, and characters that the
 * Unicode version of this Node does not know. A later version may normalise unknown characters differently, and no id
 * may ever change.
 */
const refused = (): RegExp => /[\p{Cc}\p{Cs}\p{Cn}\uFFFD]/u;

/**
 * More combining marks than the letters of any writing have. Normalisation sorts the marks of a letter, and that takes
 * long for thousands of marks.
 *
 * @see UAX #15, Stream-Safe Text Format.
 */
const longRunOfMarks = (): RegExp => /\p{M}{31}/u;

/** Longest text, in UTF-16 code units: a QR code holds up to 4,296 characters (ISO/IEC 18004). */
const MAX_LENGTH = 4_300;

/**
 * Makes an id of any text, such as of a membership card or a QR code: the first 10 bytes of the SHA-256 of the text in
 * UTF-8, normalised to Unicode NFC, without white space around it. This must never change, because the ids would change too.
 *
 * @throws {TallybookError} `INVALID_TALLY_ID` if the text is empty, is longer than 4,300 UTF-16 code units, has more than 30
 * combining marks in a row, or a character without a fixed meaning.
 */
export function hashText(text: string, digest: Digest): TallyId {
  // Checked before the normalisation, which takes seconds for some texts of 200 kB.
  if (text.length > MAX_LENGTH) {
    throw invalid(`an id of text has at most ${MAX_LENGTH} characters; got ${text.length}`);
  }
  if (longRunOfMarks().test(text)) {
    throw invalid('an id of text has at most 30 accents and other marks in a row; got more');
  }
  const whole = text.normalize('NFC').trim();
  if (whole === '') throw invalid('an id of text has at least one character');
  if (refused().test(whole)) {
    throw invalid(
      `an id of text has no control characters and no unreadable ones; got ${counted(whole.length, 'character')} with such among them`,
    );
  }
  return parseTallyId(digest(whole).slice(0, 2 * TALLY_ID_MAX_BYTES));
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_TALLY_ID', message);
}
