import { kindOf, quote, TallybookError } from '../../errors.js';
import { compareStamps, type Stamp } from '../stamp.js';
import { parseTallyId, type TallyId } from '../tally-id.js';
import { parsePersonId, type PersonId } from './person.js';
import { plainStamp, toStamp } from './plain-people.js';

declare const carriedKey: unique symbol;

/** The key of a {@link CarriedRow}: its kind, a space, and its id. */
export type CarriedKey = string & { readonly [carriedKey]: true };

/**
 * A row of a kind that came after the first format. Every version keeps it, merges it and passes it on, also one that does not know
 * its kind. Such a version knows nothing of it but these fields.
 *
 * For authors of a kind: a row is written as a whole. So what several people change at a time are several rows. The id says nothing
 * about a person: it stays in journals. A row is erased with each person in `persons` and each tag in `tags`, as a whole, so it names
 * all whom its value is about. A removal is a row without persons, tags and value.
 */
export interface CarriedRow {
  /** A word of `a-z` and hyphens, at most 40 characters. */
  readonly kind: string;
  /** 1 to 100 characters of `A-Z`, `a-z`, `0-9`, `.`, `_`, `:` and `-`. */
  readonly id: string;
  /** The last change. The later one of two rows counts, as a whole. */
  readonly stamp: Stamp;
  readonly persons: readonly PersonId[];
  readonly tags: readonly TallyId[];
  /** As `JSON.parse` gives it, with the keys of objects in order. `null`: the row was removed. */
  readonly value: unknown;
}

/** Maximum length of a row as JSON, in UTF-16 code units. */
const CARRIED_MAX_LENGTH = 8_192;
const DEPTH_MAX = 16;

const KIND = /^[a-z][a-z-]{0,39}$/;
const KEY = /^[a-z][a-z-]{0,39} [0-9A-Za-z._:-]{1,100}$/;

export function carriedKeyOf({ kind, id }: Pick<CarriedRow, 'kind' | 'id'>): CarriedKey {
  return `${kind} ${id}` as CarriedKey;
}

/** @throws {TallybookError} `INVALID_ROW` if it is not a {@link CarriedKey}. */
export function parseCarriedKey(text: string): CarriedKey {
  if (KEY.test(text)) return text as CarriedKey;
  throw invalid(`the key of a row is its kind, a space and its id; got ${quote(text)}`);
}

/** The later one. Of equal stamps, the one whose text is greater, so that all places agree. */
export function mergeCarried(here: CarriedRow | undefined, other: CarriedRow): CarriedRow {
  if (here === undefined) return other;
  const order = compareStamps(here.stamp, other.stamp);
  if (order !== 0) return order > 0 ? here : other;
  return textOf(here) >= textOf(other) ? here : other;
}

/** The row as plain JSON: equal rows give equal texts. */
export function plainCarried(row: CarriedRow): Readonly<Record<string, unknown>> {
  const { kind, id, persons, tags, value } = row;
  return { kind, id, stamp: plainStamp(row.stamp), persons, tags, value };
}

/**
 * Reads a row of {@link plainCarried}.
 *
 * @throws {TallybookError} `INVALID_ROW`, or the code of the value that is wrong.
 */
export function toCarried(plain: unknown): CarriedRow {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
    throw invalid(`a row must be an object; got ${kindOf(plain)}`);
  const { kind, id, stamp, persons, tags, value } = plain as Record<string, unknown>;
  if (typeof kind !== 'string' || !KIND.test(kind))
    throw invalid(
      `the kind of a row is a word of at most 40 characters of a-z and hyphens; got ${quote(kind)}`,
    );
  if (typeof id !== 'string' || !KEY.test(`${kind} ${id}`))
    throw invalid(
      `the id of a row has 1 to 100 characters of A-Z, a-z, 0-9, ".", "_", ":" and "-"; got ${quote(id)}`,
    );
  if (value === undefined) throw invalid('a row has a value: null if it was removed');
  const row: CarriedRow = {
    ...{ kind, id, stamp: toStamp(stamp) },
    persons: toList(persons, 'persons').map(parsePersonId),
    tags: toList(tags, 'tags').map(parseTallyId),
    value: sorted(value, DEPTH_MAX),
  };
  const { length } = textOf(row);
  if (length > CARRIED_MAX_LENGTH)
    throw invalid(`a row has at most ${CARRIED_MAX_LENGTH} characters as JSON; got ${length}`);
  return row;
}

function textOf(row: CarriedRow): string {
  return JSON.stringify(plainCarried(row));
}

/** The same JSON, with the keys of each object in order. */
function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0)
    throw invalid(`the value of a row has at most ${DEPTH_MAX} objects and arrays in each other`);
  if (Array.isArray(value)) return value.map((part) => sorted(part, depth - 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part, depth - 1)]));
}

function toList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(`the ${what} of a row must be an array; got ${kindOf(value)}`);
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_ROW', message);
}
