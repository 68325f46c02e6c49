import { checkRange, type DeviceUrl, type Range } from '@tallybook/devices';
import {
  refuseBlank,
  parseTallyId,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  TallybookError,
  type TallyId,
} from '@tallybook/domain';
import { spellings, type SpellingName } from './spellings.js';

/** Allowed values of `keep`, in bytes. */
const KEEP_RANGE: Range = { lowest: TALLY_ID_MIN_BYTES, highest: TALLY_ID_MAX_BYTES };

/** Kind of all tags at a reader: `iso14443` if their ids are UIDs of ISO/IEC 14443. */
export type TagTechnology = 'iso14443';

/** Checks a whole id, in the right order of bytes, before bytes are cut off. To refuse the id, it throws an error. */
export type InspectId = (whole: TallyId) => void;

/** Makes the TallyId of a tag from the data of a reader, so that all readers give the tag the same id. */
export interface IdFormat {
  /** Default: as the reader itself reports for each tag. */
  readonly technology?: TagTechnology | undefined;
  /**
   * Reads a text of a reader, without white space around it.
   *
   * @throws {TallybookError} `INVALID_TALLY_ID` if the text is no id in this format; `BLANK_TALLY_ID` if it means "no
   * tag".
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
 * @throws {TallybookError} `INVALID_OPTION` if `keep` is out of range, or another option is given with the spelling
 * `text`.
 */
export function createIdFormat(options: IdFormatOptions = {}): IdFormat {
  if (options.spelling === 'text') return createTextFormat(options);
  const { spelling = 'hex', order = 'straight', keep = TALLY_ID_MAX_BYTES, technology } = options;
  const { parse, bytes: width = TALLY_ID_MAX_BYTES } = spellings[spelling];
  const digits = 2 * Math.min(width, checkRange('keep', keep, KEEP_RANGE));
  const shape = (id: TallyId, inspect?: InspectId): TallyId => {
    const whole = order === 'reversed' ? reverse(id) : id;
    inspect?.(whole);
    // The last bytes of an id, at least 3 of them, are an id too.
    return refuseBlank(whole.slice(-digits) as TallyId);
  };
  return {
    technology,
    fromText: (text, inspect) => shape(parse(text), inspect),
    fromBytes: (bytes, inspect) => shape(parseTallyId(Buffer.from(bytes).toString('hex')), inspect),
  };
}

/**
 * Reads the parameters `format`, `order`, `keep` and `technology` of the URL of a reader.
 *
 * @param options.parameter Name of the parameter `format` in this URL. Default: `format`.
 * @param options.delivers Data that the reader delivers. The format `text` needs `text`. Default `bytes`.
 */
export function readFormat(
  url: DeviceUrl,
  options: { readonly parameter?: string; readonly delivers?: 'bytes' | 'text' } = {},
): IdFormat {
  const { parameter = 'format', delivers = 'bytes' } = options;
  const names = (Object.keys(spellings) as SpellingName[]).filter(
    (name) => name !== 'text' || delivers === 'text',
  );
  return createIdFormat({
    spelling: url.choice(parameter, names),
    order: url.choice('order', ['straight', 'reversed']),
    keep: url.wholeNumber('keep', KEEP_RANGE),
    technology: url.choice('technology', ['iso14443']),
  });
}

/** Ids of text are hashes: their bytes have no order that could be reversed, and nothing to cut off or to inspect. */
function createTextFormat(options: IdFormatOptions): IdFormat {
  for (const parameter of ['order', 'keep', 'technology'] as const) {
    if (options[parameter] === undefined) continue;
    throw new TallybookError('INVALID_OPTION', `${parameter} is for ids of bytes, not for ids of text`, {
      details: { parameter },
    });
  }
  return {
    fromText: (text) => refuseBlank(spellings.text.parse(text)),
    fromBytes: () => {
      throw new TallybookError(
        'INVALID_TALLY_ID',
        'the format text needs a reader that delivers text, and this one delivers bytes; choose another format',
      );
    },
  };
}

function reverse(id: TallyId): TallyId {
  return Buffer.from(id, 'hex').reverse().toString('hex').toUpperCase() as TallyId;
}
