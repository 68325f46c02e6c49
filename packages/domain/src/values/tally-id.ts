import { counted, kindOf, TallybookError } from '../errors.js';

declare const tallyId: unique symbol;

/**
 * The identifier of a tag in canonical form: 3 to 10 bytes as upper-case hex digits without separators, so 6
 * to 20 characters. It is text, never a number: leading zeros count.
 *
 * Canonical ids compare as their bytes do, so `<` on two of them is the order of the mapping.
 */
export type TallyId = string & { readonly [tallyId]: true };

/** Minimum length of a TallyId in bytes: Wiegand 26 carries 3. */
export const TALLY_ID_MIN_BYTES = 3;
/** Maximum length of a TallyId in bytes: a triple-size ISO/IEC 14443-3 UID has 10. */
export const TALLY_ID_MAX_BYTES = 10;

const SPELLING = /^[0-9a-f]{2}(?:[ :-]?[0-9a-f]{2}){2,9}$/i;
const SEPARATORS = /[ :-]/g;
/** Characters of an id. */
const ALLOWED = /^[0-9a-f :-]*$/i;
const BLANK = /^(?:0+|F+)$/;

/**
 * Reads a TallyId as people and devices write it: hex digits in either case, with or without one `:`, `-` or
 * space between two bytes.
 *
 * @throws {TallybookError} `INVALID_TALLY_ID` if the text is anything else.
 */
export function parseTallyId(text: unknown): TallyId {
  if (typeof text !== 'string' || !SPELLING.test(text)) {
    throw new TallybookError(
      'INVALID_TALLY_ID',
      `a tally id is ${TALLY_ID_MIN_BYTES} to ${TALLY_ID_MAX_BYTES} bytes in hex, two digits each, with or without ":", "-" or a space between bytes; got ${describe(text)}`,
    );
  }
  return text.replace(SEPARATORS, '').toUpperCase() as TallyId;
}

/**
 * Describes the value without its text. Errors are logged, and the text may be a part of an id, or a name typed at a
 * reader.
 */
function describe(text: unknown): string {
  if (typeof text !== 'string') return kindOf(text);
  const others = ALLOWED.test(text) ? '' : ', some of them not hex digits';
  return `${counted(text.length, 'character')}${others}`;
}

/**
 * Tells whether an id has only 0 or only F digits: readers use such ids for "no tag".
 *
 * @see Tasmota issue 9522 (RDM6300 sends an all-zero frame with a right checksum) and the AEG readers' "no read".
 */
export function isBlankTallyId(id: TallyId): boolean {
  return BLANK.test(id);
}

/** First bytes of a reserved id: the tag of last resort of a person, used for what is recorded without a tag. */
export const RESERVED_PREFIX = 'FF5442';

/** Whether an id is the tag of last resort of a person. Readers refuse such ids. */
export function isReservedTallyId(id: TallyId): boolean {
  return id.length === 2 * TALLY_ID_MAX_BYTES && id.startsWith(RESERVED_PREFIX);
}

/**
 * Reads the id of a reader, like {@link parseTallyId}, and refuses an id that no tag has.
 *
 * @throws {TallybookError} `INVALID_TALLY_ID` if it is no id, `BLANK_TALLY_ID` if it is only 0 or only F digits,
 * `RESERVED_TALLY_ID` if it stands for a person without a tag.
 */
export function parseReadId(text: unknown): TallyId {
  return toReadId(parseTallyId(text));
}

/** Passes on an id that a reader delivered. Throws as {@link parseReadId} does if no tag has it. */
export function toReadId(id: TallyId): TallyId {
  if (!isReservedTallyId(id)) return refuseBlank(id);
  throw new TallybookError(
    'RESERVED_TALLY_ID',
    `an id of ${TALLY_ID_MAX_BYTES} bytes that begins with ${RESERVED_PREFIX} stands for a person without a tag; no tag has it`,
  );
}

/**
 * Passes on an id, unless it means "no tag".
 *
 * @throws {TallybookError} `BLANK_TALLY_ID` if it is only 0 or only F digits.
 */
export function refuseBlank(id: TallyId): TallyId {
  if (!isBlankTallyId(id)) return id;
  throw new TallybookError('BLANK_TALLY_ID', `the reader says "no tag": ${id} is only 0 or only F digits`);
}
