import { checkRange, type DeviceUrl, type Range } from '@tallybook/devices';
import {
  parseReadId,
  parseTallyId,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  TallybookError,
  type TallyId,
} from '@tallybook/domain';
import { spellings, type SpellingName } from './spellings.js';

/** How many bytes of an id can be kept. */
const KEEP_RANGE: Range = { lowest: TALLY_ID_MIN_BYTES, highest: TALLY_ID_MAX_BYTES };

/** What is known of all tags of a reader: `iso14443` if their ids are UIDs of ISO/IEC 14443. */
export type TagTechnology = 'iso14443';

/** Hears of an id before bytes of it are cut off, in the right order. What it throws refuses the id. */
export type InspectId = (whole: TallyId) => void;

/** What makes one TallyId of a tag, however its reader spells it. */
export interface IdFormat {
  /** Default: what the reader itself says of a tag. */
  readonly technology?: TagTechnology | undefined;
  /**
   * Reads what a reader wrote, without white space around it.
   *
   * @throws {TallybookError} `INVALID_TALLY_ID` if it is no id in this format; `BLANK_TALLY_ID` if it means "no tag".
   */
  fromText(text: string, inspect?: InspectId): TallyId;
  /**
   * Takes the bytes that a reader delivered: what a reader that writes in this format would have made of them.
   *
   * @throws {TallybookError} as `fromText` does.
   */
  fromBytes(bytes: Uint8Array, inspect?: InspectId): TallyId;
}

export interface IdFormatOptions {
  /** How the reader spells ids. Default `hex`. */
  readonly spelling?: SpellingName | undefined;
  /** `reversed` if the reader gives the least significant byte first. Default `straight`. */
  readonly order?: 'straight' | 'reversed' | undefined;
  /** The most bytes of an id that are kept, the least significant ones, 3..10. Default: as many as the spelling has. */
  readonly keep?: number | undefined;
  /** Default: what the reader itself says of a tag. */
  readonly technology?: TagTechnology | undefined;
}

/**
 * Makes a format. The order is put right first, then what is too long is cut.
 *
 * @throws {TallybookError} `INVALID_OPTION` if `keep` is out of range, or the spelling is `text` and anything else is given.
 */
export function createIdFormat(options: IdFormatOptions = {}): IdFormat {
  if (options.spelling === 'text') return createTextFormat(options);
  const { spelling = 'hex', order = 'straight', keep = TALLY_ID_MAX_BYTES, technology } = options;
  const { parse, bytes: width = TALLY_ID_MAX_BYTES } = spellings[spelling];
  const digits = 2 * Math.min(width, checkRange('keep', keep, KEEP_RANGE));
  const shape = (id: TallyId, inspect?: InspectId): TallyId => {
    const whole = order === 'reversed' ? reverse(id) : id;
    inspect?.(whole);
    return parseReadId(whole.slice(-digits));
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
 * @param options.parameter What `format` is called there. Default: `format`.
 * @param options.delivers Whether `text` is one of the formats. Default `bytes`, of which it makes no ids.
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

/** Ids of text are hashes: there is no order of bytes in them, and nothing to cut or to look at. */
function createTextFormat(options: IdFormatOptions): IdFormat {
  for (const parameter of ['order', 'keep', 'technology'] as const) {
    if (options[parameter] === undefined) continue;
    throw new TallybookError('INVALID_OPTION', `${parameter} is for ids of bytes, not for ids of text`, {
      details: { parameter },
    });
  }
  return {
    fromText: (text) => parseReadId(spellings.text.parse(text)),
    fromBytes: () => {
      throw new TallybookError(
        'INVALID_TALLY_ID',
        'the format text needs a reader that delivers text, and this one delivers bytes; choose another format',
      );
    },
  };
}

function reverse(id: TallyId): TallyId {
  return parseTallyId(Buffer.from(id, 'hex').reverse().toString('hex'));
}
