import {
  isTallybookError,
  parseDay,
  parseName,
  parseTimestamp,
  quote,
  type Day,
  type Name,
  type SpellingName,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { parseReason, type TagFinder } from '@tallybook/domain/record';
import { parseKeep, type Keep } from '@tallybook/domain/personal';
import type { Schema } from '@tallybook/http-contract';
import type Koa from 'koa';
import { formatOf, parseField } from './query.js';

/** What the parser of each `format` of the contract gives. */
export interface Parsed {
  readonly timestamp: Timestamp;
  readonly day: Day;
  /** A promise if an id with two readings has to be looked up. */
  readonly tag: TallyId | Promise<TallyId>;
  readonly spelling: SpellingName | undefined;
  readonly flag: boolean;
  readonly 'whole-number': number;
  readonly reason: string | undefined;
  readonly name: Name;
  readonly keep: Keep;
  /** A number in a query. */
  readonly digits: number;
  readonly seconds: number;
  /** Text that the service judges. */
  readonly raw: string | undefined;
}

/** Where a value was found, and what it may need. */
export interface Place {
  readonly ctx: Koa.Context;
  readonly name: string;
  readonly schema: Schema;
  readonly isOptional: boolean;
  /** The spelling of the ids of the request. */
  readonly spelling: SpellingName | undefined;
  readonly tags: TagFinder;
}

type Parser<T> = (value: unknown, place: Place) => T;

/** Each refuses as the services do: the contract says which one a value has, never how it refuses. */
const parsers: { readonly [F in keyof Parsed]: Parser<Parsed[F]> } = {
  timestamp: parseTimestamp,
  day: parseDay,
  tag: (value, { tags, spelling }) => tags.find(value, spelling),
  spelling: (value, { ctx }) => formatOf(ctx, value),
  flag: toFlag,
  'whole-number': toWholeNumber,
  reason: (value) => (value === null ? undefined : parseReason(value)),
  name: parseName,
  keep: toKeep,
  digits: (value, place) => toNumber(value, place, 'a number'),
  seconds: (value, place) => toNumber(value, place, 'a number of seconds'),
  raw: (value) => value as string | undefined,
};

function toNumber(text: unknown, { ctx, name, schema }: Place, what: string): number {
  const { minimum, maximum } = schema as { readonly minimum: number; readonly maximum: number };
  const number = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= minimum && number <= maximum) return number;
  return ctx.throw(400, `${name}: must be ${what} from ${minimum} to ${maximum}; got ${quote(text)}`);
}

function toKeep(value: unknown, { ctx, name }: Place): Keep {
  try {
    return parseKeep(value as string);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return ctx.throw(400, `${name}: ${error.message}`);
  }
}

function toFlag(value: unknown, { ctx, name, isOptional }: Place): boolean {
  if (typeof value === 'boolean') return value;
  const condition = isOptional ? ' if it is given' : '';
  return ctx.throw(400, `${name}: must be true or false${condition}; got ${quote(value)}`);
}

function toWholeNumber(value: unknown, { ctx, name, schema }: Place): number {
  const least = Number(schema['minimum']);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  return ctx.throw(400, `${name}: must be a whole number from ${least}; got ${quote(value)}`);
}

/** Reads the value of a field, and names the field in errors. */
export type ReadField = (value: unknown, place: Place) => unknown;

/**
 * The reader of a field of a query or body. Without a `format`, a field of a query is one of the texts of its schema, or any text;
 * a field of a body is given to the service as it came.
 */
export function readerOf(schema: Schema, isText: boolean): ReadField {
  const { format } = schema;
  const parser = typeof format === 'string' ? (parsers as Record<string, ReadField>)[format] : undefined;
  // The error of a name says what it is about.
  if (parser === parsers.name) return parser;
  if (parser !== undefined)
    return (value, place) => parseField(place.name, value, (found) => parser(found, place));
  if (!isText) return (value) => value;
  const choices: unknown = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(choices)
    ? (value, place) => oneOfTexts(place.ctx, place.name, value, choices as readonly unknown[])
    : toText;
}

/** One of the allowed texts. Throws 400 for another value. */
export function oneOfTexts<T>(ctx: Koa.Context, name: string, value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const allowed = choices.map((choice) => `"${String(choice)}"`).join(' or ');
  return ctx.throw(400, `${name}: must be ${allowed} if it is given; got ${quote(value)}`);
}

function toText(value: unknown, { ctx, name }: Place): string {
  return typeof value === 'string' ? value : ctx.throw(400, `${name}: must be given`);
}
