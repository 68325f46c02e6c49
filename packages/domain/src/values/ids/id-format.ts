import { counted, quote, TallybookError } from '../../errors.js';
import {
  isReservedTallyId,
  parseTallyId,
  refuseBlank,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  toReadId,
  type TallyId,
} from '../tally-id.js';
import { spellings, type SpellingName } from './spellings.js';

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
 * UTF-8, normalised to Unicode NFC, without white space around it. Instead of a reserved id, those of the SHA-256 of the 64 digits of
 * that hash. This must never change, because the ids would change too.
 *
 * @throws {TallybookError} `INVALID_TALLY_ID` if the text is empty, is longer than 4,300 UTF-16 code units, has more than 30
 * combining marks in a row, or a character without a fixed meaning.
 */
function hashText(text: string, digest: Digest): TallyId {
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
  const hash = digest(whole);
  const id = idOf(hash);
  return isReservedTallyId(id) ? idOf(digest(hash)) : id;
}

function idOf(hash: string): TallyId {
  return parseTallyId(hash.slice(0, 2 * TALLY_ID_MAX_BYTES));
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_TALLY_ID', message);
}

/** Kind of all tags at a reader: `iso14443` if their ids are UIDs of ISO/IEC 14443. */
type TagTechnology = 'iso14443';

/** Checks a whole id, in the right order of bytes, before bytes are cut off. To refuse the id, it throws an error. */
export type InspectId = (whole: TallyId) => void;

/** Makes the TallyId of a tag from the data of a reader, so that all readers give the tag the same id. */
export interface IdFormat {
  /** The options that it was made with. */
  readonly options: IdFormatOptions;
  /** Default: as the reader itself reports for each tag. */
  readonly technology?: TagTechnology | undefined;
  /**
   * Reads a text of a reader, without white space around it.
   *
   * @throws {TallybookError} `INVALID_TALLY_ID` if the text is no id in this format; `BLANK_TALLY_ID` if it means "no
   * tag"; `RESERVED_TALLY_ID` if no tag has it.
   */
  fromText(text: string, inspect?: InspectId): TallyId;
  /**
   * Makes an id of bytes: the same id that a reader with this spelling would give.
   *
   * @throws {TallybookError} as `fromText` does.
   */
  fromBytes(bytes: Uint8Array, inspect?: InspectId): TallyId;
}

export interface IdFormatOptions {
  /** Spelling of the ids of the reader. Default `hex`. */
  readonly spelling?: SpellingName | undefined;
  /** `reversed` if the reader gives the least significant byte first. Default `straight`. */
  readonly order?: 'straight' | 'reversed' | undefined;
  /** Largest number of bytes to keep, 3..10: the least significant bytes stay. Default: all bytes of the spelling. */
  readonly keep?: number | undefined;
  /** Default: as the reader itself reports for each tag. */
  readonly technology?: TagTechnology | undefined;
}

/**
 * Makes a format. The format first corrects the order of the bytes, then cuts bytes off.
 *
 * @param digest For the spelling `text`.
 * @throws {TallybookError} `INVALID_OPTION` if `keep` is out of range, or another option is given with the spelling
 * `text`.
 */
export function createIdFormat(options: IdFormatOptions, digest: Digest): IdFormat {
  const { spelling = 'hex', order, technology } = options;
  if (spelling === 'text') return createTextFormat(options, digest);
  const digits = canonicalDigits(options) ?? 2 * TALLY_ID_MAX_BYTES;
  const shape = (id: TallyId, inspect?: InspectId): TallyId => {
    const whole = order === 'reversed' ? reverse(id) : id;
    inspect?.(whole);
    // The last bytes of an id, at least 3 of them, are an id too.
    return toReadId(whole.slice(-digits) as TallyId);
  };
  return {
    options,
    technology,
    fromText: (text, inspect) => shape(spellings[spelling].parse(text), inspect),
    fromBytes: (bytes, inspect) => shape(parseTallyId(Array.from(bytes, hexOf).join('')), inspect),
  };
}

/** Number of hex digits of the ids in a format of numbers or text; `undefined` if ids in this format have several lengths. */
export function canonicalDigits({ spelling = 'hex', keep }: IdFormatOptions): number | undefined {
  const kept = keep === undefined ? undefined : checkKeep(keep);
  const bytes = spelling === 'text' ? TALLY_ID_MAX_BYTES : spellings[spelling].bytes;
  return bytes === undefined ? kept && 2 * kept : 2 * Math.min(bytes, kept ?? bytes);
}

/** Ids of text are hashes: their bytes have no order that could be reversed, and nothing to cut off or to inspect. */
function createTextFormat(options: IdFormatOptions, digest: Digest): IdFormat {
  for (const parameter of ['order', 'keep', 'technology'] as const) {
    if (options[parameter] === undefined) continue;
    throw new TallybookError('INVALID_OPTION', `${parameter} is for ids of bytes, not for ids of text`, {
      details: { parameter },
    });
  }
  return {
    options,
    fromText: (text) => {
      refuseBlank(text.trim().toUpperCase() as TallyId);
      return hashText(text, digest);
    },
    fromBytes: () => {
      throw new TallybookError(
        'INVALID_TALLY_ID',
        'the format text needs a reader that delivers text, and this one delivers bytes; choose another format',
      );
    },
  };
}

function checkKeep(keep: number): number {
  if (Number.isInteger(keep) && keep >= TALLY_ID_MIN_BYTES && keep <= TALLY_ID_MAX_BYTES) return keep;
  throw new TallybookError(
    'INVALID_OPTION',
    `keep is a whole number from ${TALLY_ID_MIN_BYTES} to ${TALLY_ID_MAX_BYTES}; got ${quote(keep)}`,
    { details: { parameter: 'keep' } },
  );
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function reverse(id: TallyId): TallyId {
  return (id.match(/../g) ?? []).reverse().join('') as TallyId;
}
