import { counted, isTallybookError, quote, TallybookError } from '../../errors.js';
import { parseTallyId, type TallyId } from '../../values/tally-id.js';
import {
  canonicalDigits,
  createIdFormat,
  type Digest,
  type IdFormat,
  type IdFormatOptions,
} from '../../values/ids/id-format.js';
import { spellingNames, spellings, type SpellingName } from '../../values/ids/spellings.js';

/** One way to read a typed text. */
export interface IdReading {
  readonly id: TallyId;
  /** Spelling in which the text was read; `hex` for a canonical id. */
  readonly format: SpellingName;
  /** Given if leading zeros were added or dropped, as for a number of a spreadsheet. */
  readonly hasOtherZeros?: true;
}

/** Readings of a typed text, each id once. Which of them count is decided by {@link remainingReadings}. */
export interface IdReadings {
  /** Readings that need no evidence. */
  readonly likely: readonly IdReading[];
  /** Readings that count only if their tag is known. */
  readonly ifKnown: readonly IdReading[];
}

const DIGITS = /^[0-9]+$/;
const TEXT_ID = /^[0-9A-F]{20}$/i;

/**
 * Reads ids as people write them: in the spelling of the readers of the service, or in canonical form.
 *
 * If all readers deliver hex, a text is hex. If they deliver numbers, digits of the length of these numbers are such a number
 * (leading zeros may be missing), digits exactly as long as the ids of these readers are hex, and so is a text with a letter or
 * with separators between bytes. If they deliver text, all is text but 20 hex digits. Old ids that fit none of that are read as
 * hex if their tags are known.
 */
export class TypedIds {
  readonly #digest: Digest;
  readonly #formats: readonly IdFormat[];
  /** Whether all readers deliver hex, unchanged, as by default. */
  readonly #isHex: boolean;

  /**
   * @param formats Formats of the readers of the service. Without any, ids are hex.
   * @param digest For readers with the spelling `text`, and for `format=text`. Without one, such ids cannot be read.
   * @throws {TallybookError} `INVALID_OPTION` as {@link createIdFormat} does.
   */
  constructor(formats: readonly IdFormatOptions[] = [], digest: Digest = noDigest) {
    const each = formats.map(({ spelling = 'hex', order = 'straight', keep }) =>
      spelling === 'text' ? { spelling } : { spelling, order, keep },
    );
    const distinct = new Map(each.map((options) => [JSON.stringify(options), options]));
    this.#digest = digest;
    this.#formats = [...(distinct.size > 0 ? distinct.values() : [{}])].map((options) =>
      createIdFormat(options, digest),
    );
    this.#isHex = this.#formats.every(
      (each) =>
        spellingOf(each) === 'hex' && each.options.order !== 'reversed' && each.options.keep === undefined,
    );
  }

  /** Spellings of the readers, each once; `hex` without readers. */
  get spellings(): readonly SpellingName[] {
    return [...new Set(this.#formats.map(spellingOf))];
  }

  /**
   * Reads a text, which may be untrusted.
   *
   * @param format Spelling of the text: one of {@link spellingNames}. Default: decided by the readers.
   * @throws {TallybookError} `INVALID_TALLY_ID` if there is no reading; `INVALID_OPTION` if the format is unknown.
   */
  readings(text: unknown, format?: unknown): IdReadings {
    const spelling = parseSpelling(format);
    if (typeof text !== 'string' || spelling === 'hex' || (spelling === undefined && this.#isHex)) {
      return { likely: [{ id: parseTallyId(text), format: 'hex' }], ifKnown: [] };
    }
    const found = new Found();
    if (spelling === undefined) this.#readByReaders(text, found);
    else for (const each of this.#formatsOf(spelling)) found.add(readOwn(each, text.trim()), true);
    const readings = found.readings();
    if (readings.likely.length + readings.ifKnown.length > 0) return readings;
    throw this.refusal(text, format);
  }

  /** The error for a text without a reading that counts. */
  refusal(text: string, format?: unknown): TallybookError {
    const spelling = parseSpelling(format);
    const allowed = (spelling === undefined ? this.spellings : [spelling]).map(describe);
    const others = spelling === undefined ? ', or hex with a letter or with separators between bytes' : '';
    return new TallybookError(
      'INVALID_TALLY_ID',
      `an id is written here as ${allowed.join(', or ')}${others}; got ${counted(text.length, 'character')}${spelling === undefined ? '; format=hex reads digits as hex' : ''}`,
    );
  }

  #formatsOf(spelling: SpellingName): readonly IdFormat[] {
    const same = this.#formats.filter((each) => spellingOf(each) === spelling);
    return same.length > 0 ? same : [createIdFormat({ spelling }, this.#digest)];
  }

  #readByReaders(typed: string, found: Found): void {
    const text = typed.trim();
    const hex = unlessInvalid(() => parseTallyId(text));
    const isDigits = DIGITS.test(text);
    const isText = this.#formats.every((each) => spellingOf(each) === 'text');
    for (const each of this.#formats) {
      const spelling = spellingOf(each);
      const own = readOwn(each, text);
      let isOwn: boolean;
      let isHex: boolean;
      if (spelling === 'text') {
        isHex = TEXT_ID.test(text);
        isOwn = !isHex && (isText || isDigits || hex === undefined);
      } else if (spellings[spelling].fixZeros === undefined) {
        isHex = true;
        // A canonical id that a reader would reverse or cut was not written as this reader delivers it.
        isOwn = hex === undefined;
      } else {
        isHex = hex !== undefined && (!isDigits || text.length === canonicalDigits(each.options));
        isOwn = !isHex || own?.hasOtherZeros === undefined;
      }
      found.add(own, isOwn);
      if (hex !== undefined) found.add({ id: hex, format: 'hex' }, isHex);
    }
  }
}

/**
 * The readings that remain: one is the id; none means that the text is no id, for which {@link TypedIds.refusal} is the error; of
 * several, a person must choose.
 *
 * A known tag, which has a name or a scan, goes before an unknown one. An id as the service answers it can always be sent back.
 */
export function remainingReadings(
  { likely, ifKnown }: IdReadings,
  isKnown: (id: TallyId) => boolean,
): readonly IdReading[] {
  const known = [...likely, ...ifKnown].filter(({ id }) => isKnown(id));
  const [first] = likely;
  const isOwnAnswer = likely.length === 1 && first?.format === 'hex' && known.includes(first);
  return known.length === 0 || isOwnAnswer ? likely : known;
}

/** The only reading, if which tags are known makes no difference. */
export function decidedReading({ likely, ifKnown }: IdReadings): IdReading | undefined {
  return likely.length === 1 && ifKnown.length === 0 ? likely[0] : undefined;
}

/**
 * The readings of texts of one list. If a number of the list lost its leading zeros, as in a spreadsheet, a number exactly as
 * long as an id may have lost some too, and neither reading is better.
 */
export function readingsOfList(each: readonly IdReadings[]): readonly IdReadings[] {
  const hasOtherZeros = ({ hasOtherZeros: has }: IdReading): boolean => has === true;
  if (!each.some(({ likely }) => likely.some(hasOtherZeros))) return each;
  return each.map(({ likely, ifKnown }) => ({
    likely: [...likely, ...ifKnown.filter(hasOtherZeros)],
    ifKnown: ifKnown.filter((reading) => !hasOtherZeros(reading)),
  }));
}

/** @throws {TallybookError} `INVALID_OPTION` if it is no name of a spelling. */
export function parseSpelling(format: unknown): SpellingName | undefined {
  const found = spellingNames.find((name) => name === format);
  if (format === undefined || found !== undefined) return found;
  throw new TallybookError(
    'INVALID_OPTION',
    `format is one of ${spellingNames.join(', ')}; got ${quote(format)}`,
    { details: { parameter: 'format' } },
  );
}

/** The error for a text with several readings. It names them, since a person must choose. */
export function ambiguous(readings: readonly IdReading[]): TallybookError {
  const each = readings.map(({ id, format }) => `${id} (format=${format})`);
  return new TallybookError(
    'AMBIGUOUS_TALLY_ID',
    `the id can be read in several ways: as ${each.join(' or ')}; give the format, or the id in hex with format=hex`,
  );
}

/** Collects readings; an id that is both likely and `ifKnown` is likely. */
class Found {
  readonly #byId = new Map<TallyId, { readonly reading: IdReading; readonly isLikely: boolean }>();

  add(reading: IdReading | undefined, isLikely: boolean): void {
    if (reading === undefined) return;
    const earlier = this.#byId.get(reading.id);
    if (earlier === undefined || (isLikely && !earlier.isLikely))
      this.#byId.set(reading.id, { reading, isLikely });
  }

  readings(): IdReadings {
    const all = [...this.#byId.values()];
    const of = (isWanted: boolean): readonly IdReading[] =>
      all.filter(({ isLikely }) => isLikely === isWanted).map(({ reading }) => reading);
    return { likely: of(true), ifKnown: of(false) };
  }
}

/** The reading of a text in the format of a reader, as the reader writes it or with other leading zeros. */
function readOwn(format: IdFormat, text: string): IdReading | undefined {
  const spelling = spellingOf(format);
  const exact = unlessInvalid(() => format.fromText(text));
  if (exact !== undefined) return { id: exact, format: spelling };
  const fixZeros = spelling === 'text' ? undefined : spellings[spelling].fixZeros;
  if (fixZeros === undefined) return undefined;
  const id = unlessInvalid(() => format.fromText(fixZeros(text)));
  return id && { id, format: spelling, hasOtherZeros: true };
}

function spellingOf({ options }: IdFormat): SpellingName {
  return options.spelling ?? 'hex';
}

function describe(spelling: SpellingName): string {
  if (spelling === 'text') return 'a text';
  return spellings[spelling].allowed ?? 'hex, two digits for each of 3 to 10 bytes';
}

function noDigest(): never {
  throw new TypeError('ids of text need a digest');
}

function unlessInvalid<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isTallybookError(error)) return undefined;
    throw error;
  }
}
