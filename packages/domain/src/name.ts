import { kindOf, TallybookError } from './errors.js';

/** The name of the holder of a tag. Both parts are present; at most one of them is empty. */
export interface Name {
  readonly first: string;
  readonly last: string;
}

/** Most Unicode code points in each part of a name, counted after normalisation and trimming. */
export const NAME_PART_MAX_LENGTH = 100;

const CONTROL = /\p{Cc}/u;
/** Text of which there is only one normal form, with nothing in it that is not allowed: nothing more is to be checked but its length. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Reads a name from untrusted data: an object whose `first` and `last` are both strings. The parts are brought
 * to Unicode NFC and trimmed. Other properties of the object are ignored.
 *
 * @throws {TallybookError} `INVALID_NAME`, with the offending part in `details.field`, if a part is missing, is
 * no string, is longer than 100 code points, holds a control character or half a surrogate pair, or if both
 * parts are empty.
 */
export function parseName(value: unknown): Name {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('name', `must be an object with "first" and "last"; got ${kindOf(value)}`);
  }
  const { first, last } = value as Readonly<Record<string, unknown>>;
  const name: Name = { first: parsePart('first', first), last: parsePart('last', last) };
  if (name.first === '' && name.last === '') {
    throw invalid('name', 'must have at least one of "first" and "last" not empty');
  }
  return name;
}

function parsePart(field: 'first' | 'last', value: unknown): string {
  if (typeof value !== 'string') throw invalid(`name.${field}`, `must be a string; got ${kindOf(value)}`);
  const part = PRINTABLE_ASCII.test(value) ? value.trim() : normalize(field, value);
  // A code point is one or two UTF-16 code units.
  const length = part.length > NAME_PART_MAX_LENGTH ? Array.from(part).length : part.length;
  if (length > NAME_PART_MAX_LENGTH) {
    throw invalid(`name.${field}`, `must have at most ${NAME_PART_MAX_LENGTH} characters; it has ${length}`);
  }
  return part;
}

function normalize(field: 'first' | 'last', value: string): string {
  if (!value.isWellFormed())
    throw invalid(`name.${field}`, 'must be well-formed Unicode; it has a lone surrogate');
  const part = value.normalize('NFC').trim();
  if (CONTROL.test(part)) throw invalid(`name.${field}`, 'must not contain control characters');
  return part;
}

function invalid(field: string, reason: string): TallybookError {
  return new TallybookError('INVALID_NAME', `${field} ${reason}`, { details: { field } });
}
