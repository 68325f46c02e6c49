import { kindOf, TallybookError } from '../errors.js';
import type { TallyId } from './tally-id.js';

/**
 * Whether a text can have at most `longest` code points in Unicode NFC, which makes one code point of up to four UTF-16 code
 * units. Longer texts must not be normalised: for some texts of 200 kB, that takes seconds.
 */
export function isNormalisable(text: string, longest: number): boolean {
  return text.length <= 4 * longest;
}

/**
 * Reads untrusted text, and brings it to Unicode NFC and trims it.
 *
 * @param longest Maximum number of code points after that.
 * @param errorOf Makes the error of a reason, such as `must be a string; got null`.
 */
export function parseText(
  value: unknown,
  longest: number,
  errorOf: (reason: string) => TallybookError,
): string {
  if (typeof value !== 'string') throw errorOf(`must be a string; got ${kindOf(value)}`);
  if (!value.isWellFormed()) throw errorOf('must be well-formed Unicode; it has a lone surrogate');
  const trimmed = value.trim();
  const isSimple = PRINTABLE_ASCII.test(trimmed) || !isNormalisable(trimmed, longest);
  const text = isSimple ? trimmed : trimmed.normalize('NFC').trim();
  // A code point is one or two UTF-16 code units.
  const length = text.length > longest ? Array.from(text).length : text.length;
  if (length <= longest) return text;
  throw errorOf(`must have at most ${longest} characters; it has ${length}`);
}

/** The name of the holder of a tag. Both parts are present; at most one of them is empty. */
export interface Name {
  readonly first: string;
  readonly last: string;
}

/** Maximum number of Unicode code points in each part of a name, counted after normalisation and trimming. */
export const NAME_PART_MAX_LENGTH = 100;

const control = (): RegExp => /\p{Cc}/u;
const unwantedCharacters = (): readonly (readonly [RegExp, string])[] => [
  // In a list, they would change the direction of other names too.
  [/\p{Bidi_Control}/u, 'characters that turn the direction of text'],
  [/\p{Noncharacter_Code_Point}/u, 'noncharacters'],
];
/**
 * A visible character. Unicode counts the Hangul fillers and the Braille blank as letters and symbols, but they are
 * invisible.
 */
export const visible = (): RegExp => /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;
/** Text of these characters is always valid and normalised, so that only its length needs a check. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Reads a name from untrusted data: an object whose `first` and `last` are both strings. The parts are brought
 * to Unicode NFC and trimmed. Other properties of the object are ignored.
 *
 * @throws {TallybookError} `INVALID_NAME`, with the offending part in `details.field`, if a part is missing, is
 * no string, is longer than 100 code points, holds a control character, a bidi control, a noncharacter or half a
 * surrogate pair, or nothing but invisible characters, or if both parts are empty.
 */
export function parseName(value: unknown): Name {
  return parseParts(value, (field, part) => {
    for (const [unwanted, what] of unwantedCharacters()) {
      const [found] = unwanted.exec(part) ?? [];
      if (found !== undefined)
        throw invalid(`name.${field}`, `must not contain ${what}; it has ${codeOf(found)}`);
    }
    if (part !== '' && !visible().test(part)) {
      throw invalid(`name.${field}`, 'must have a visible character, or be empty');
    }
  });
}

/**
 * Reads a name from a store or a backup, like {@link parseName}. It does not check characters: a
 * runtime with other tables of Unicode may refuse a name that was accepted elsewhere, and nobody loses a name.
 *
 * @throws {TallybookError} `INVALID_NAME`
 */
export function parseKeptName(value: unknown): Name {
  return parseParts(value, () => undefined);
}

/** Whether two names are the same, or both are absent. */
export function isSameName(one: Name | undefined, other: Name | undefined): boolean {
  return one?.first === other?.first && one?.last === other?.last;
}

type Field = keyof Name;

function parseParts(value: unknown, check: (field: Field, part: string) => void): Name {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('name', `must be an object with "first" and "last"; got ${kindOf(value)}`);
  }
  const { first, last } = value as Readonly<Record<string, unknown>>;
  const name: Name = { first: parsePart('first', first, check), last: parsePart('last', last, check) };
  if (name.first === '' && name.last === '') {
    throw invalid('name', 'must have at least one of "first" and "last" not empty');
  }
  return name;
}

function parsePart(field: Field, value: unknown, check: (field: Field, part: string) => void): string {
  const part = parseText(value, NAME_PART_MAX_LENGTH, (reason) => invalid(`name.${field}`, reason));
  if (PRINTABLE_ASCII.test(part)) return part;
  if (control().test(part)) throw invalid(`name.${field}`, 'must not contain control characters');
  check(field, part);
  return part;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function invalid(field: string, reason: string): TallybookError {
  return new TallybookError('INVALID_NAME', `${field} ${reason}`, { details: { field } });
}

/** All associations of tags with names. Iteration order is ascending by id. */
export type Mapping = ReadonlyMap<TallyId, Name>;

/** Orders canonical ids ascending, as their bytes compare. */
export function compareTallyIds(a: TallyId, b: TallyId): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Builds a {@link Mapping} from associations in any order; the last one of an id wins. */
export function createMapping(associations: Iterable<readonly [TallyId, Name]>): Mapping {
  return new Map([...new Map(associations)].sort(([a], [b]) => compareTallyIds(a, b)));
}
