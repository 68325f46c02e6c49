import {
  parseDay,
  parseTimestamp,
  quote,
  type Day,
  type SpellingName,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { parseReason, type TagFinder } from '@tallybook/domain/record';
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
}

/** Where a value was found, and what it may need. */
export interface Place {
  readonly ctx: Koa.Context;
  readonly name: string;
  readonly schema: Schema;
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
};

function toFlag(value: unknown, { ctx, name }: Place): boolean {
  if (typeof value === 'boolean') return value;
  return ctx.throw(400, `${name}: must be true or false; got ${quote(value)}`);
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
  if (parser !== undefined)
    return (value, place) => parseField(place.name, value, (found) => parser(found, place));
  if (!isText) return (value) => value;
  const choices = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(choices) ? (value, place) => toChoice(value, place, choices) : toText;
}

function toChoice(value: unknown, { ctx, name }: Place, choices: readonly unknown[]): unknown {
  if (choices.includes(value)) return value;
  const allowed = choices.map((choice) => `"${String(choice)}"`).join(' or ');
  return ctx.throw(400, `${name}: must be ${allowed} if it is given; got ${quote(value)}`);
}

function toText(value: unknown, { ctx, name }: Place): string {
  return typeof value === 'string' ? value : ctx.throw(400, `${name}: must be given`);
}
