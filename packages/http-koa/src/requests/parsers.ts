import {
  isTallybookError,
  parseDay,
  parseGroupId,
  parseGroupName,
  parseGuestText,
  parseName,
  parseNumber,
  parsePersonId,
  parseTimestamp,
  quote,
  toDay,
  toTimestamp,
  type Day,
  type GroupId,
  type Name,
  type PersonId,
  type SpellingName,
  type TagAct,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { parseReason, type TagFinder } from '@tallybook/domain/record';
import { parseKeep, type Keep } from '@tallybook/domain/personal';
import { tagActs, type Schema } from '@tallybook/http-contract';
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
  readonly person: PersonId;
  readonly 'two-persons': readonly [PersonId, PersonId];
  readonly 'member-number': string | null;
  readonly 'day-or-null': Day | null;
  readonly 'tag-act': TagAct['act'];
  readonly group: GroupId;
  readonly 'group-name': string;
  readonly 'group-names': readonly string[];
  readonly 'guest-text': string;
  readonly null: null;
  readonly keep: Keep;
  /** A number in a query. */
  readonly digits: number;
  readonly seconds: number;
  /** Text that the service judges. */
  readonly raw: string | undefined;
}

/** A parameter of the path or the query, or a field of the body. */
interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isOptional: boolean;
}

/** A request that is being read. */
export interface ReadRequest {
  readonly ctx: Koa.Context;
  readonly tags: TagFinder;
  /** The spelling of its ids, once that is read. */
  spelling: SpellingName | undefined;
}

type Parser<T> = (value: unknown, field: Field, request: ReadRequest) => T;

/** Formats of numbers in a query, and what refusals call them. */
const numbers = { digits: 'a number', seconds: 'a number of seconds' } as const;

/** Each refuses as the services do: the contract says which one a value has, never how it refuses. */
const parsers: { readonly [F in Exclude<keyof Parsed, keyof typeof numbers>]: Parser<Parsed[F]> } = {
  // Digits in a query, a number in a body.
  timestamp: (value) => (typeof value === 'number' ? toTimestamp(value) : parseTimestamp(value)),
  day: (value) => (typeof value === 'number' ? toDay(value) : parseDay(value)),
  tag: (value, _, { tags, spelling }) => tags.find(value, spelling),
  spelling: (value, _, { ctx }) => formatOf(ctx, value),
  flag: toFlag,
  'whole-number': toWholeNumber,
  reason: (value) => (value === null ? undefined : parseReason(value)),
  name: parseName,
  person: parsePersonId,
  'two-persons': toTwoPersons,
  'member-number': (value) => (value === null ? null : parseNumber(value)),
  'day-or-null': (value) => (value === null ? null : toDay(value)),
  'tag-act': toTagAct,
  group: parseGroupId,
  'group-name': parseGroupName,
  'group-names': toGroupNames,
  'guest-text': parseGuestText,
  null: toNull,
  keep: toKeep,
  raw: (value) => value as string | undefined,
};

function numberParser(schema: Schema, what: string): Parser<number> {
  const {
    pattern = '^[0-9]{1,16}$',
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
  } = schema as {
    readonly pattern?: string;
    readonly minimum?: number;
    readonly maximum?: number;
  };
  const digits = new RegExp(pattern);
  return (text, { name }, { ctx }) => {
    const number = typeof text === 'string' && digits.test(text) ? Number(text) : -1;
    if (number >= minimum && number <= maximum) return number;
    return ctx.throw(400, `${name}: must be ${what} from ${minimum} to ${maximum}; got ${quote(text)}`);
  };
}

function toKeep(value: unknown, { name }: Field, { ctx }: ReadRequest): Keep {
  try {
    return parseKeep(value as string);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return ctx.throw(400, `${name}: ${error.message}`);
  }
}

function toTwoPersons(value: unknown, { name }: Field, { ctx }: ReadRequest): readonly [PersonId, PersonId] {
  if (!Array.isArray(value) || value.length !== 2)
    return ctx.throw(400, `${name}: must be a list of two persons; got ${quote(value)}`);
  return [parsePersonId(value[0]), parsePersonId(value[1])];
}

function toGroupNames(value: unknown, { name, schema }: Field, { ctx }: ReadRequest): readonly string[] {
  const most = Number(schema['maxItems']);
  if (Array.isArray(value) && value.length <= most) return value.map(parseGroupName);
  return ctx.throw(400, `${name}: must be a list of at most ${most} names; got ${quote(value)}`);
}

function toNull(value: unknown, { name }: Field, { ctx }: ReadRequest): null {
  return value === null ? value : ctx.throw(400, `${name}: must be null if it is given; got ${quote(value)}`);
}

function toTagAct(value: unknown, { name }: Field, { ctx }: ReadRequest): TagAct['act'] {
  const found = tagActs.find((act) => act === value);
  if (found !== undefined) return found;
  return ctx.throw(400, `${name}: must be one of ${tagActs.join(', ')}; got ${quote(value)}`);
}

function toFlag(value: unknown, { name, isOptional }: Field, { ctx }: ReadRequest): boolean {
  if (typeof value === 'boolean') return value;
  const condition = isOptional ? ' if it is given' : '';
  return ctx.throw(400, `${name}: must be true or false${condition}; got ${quote(value)}`);
}

function toWholeNumber(value: unknown, { name, schema }: Field, { ctx }: ReadRequest): number {
  const least = Number(schema['minimum'] ?? 0);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  return ctx.throw(400, `${name}: must be a whole number from ${least}; got ${quote(value)}`);
}

/** Reads the value of a field, and names the field in errors. */
export type ReadField = Parser<unknown>;

/**
 * The reader of a field of a query or body. Without a `format`, a field of a query is one of the texts of its schema, or any text;
 * a field of a body is given to the service as it came.
 */
export function readerOf(schema: Schema, isText: boolean): ReadField {
  const { format } = schema;
  if (format === 'digits' || format === 'seconds') return numberParser(schema, numbers[format]);
  const parser = typeof format === 'string' ? (parsers as Record<string, ReadField>)[format] : undefined;
  // The error of a name says what it is about.
  if (parser === parsers.name) return parser;
  if (parser !== undefined)
    return (value, field, request) => parseField(field.name, value, (found) => parser(found, field, request));
  if (!isText) return (value) => value;
  const choices: unknown = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(choices)
    ? (value, { name }, { ctx }) => oneOfTexts(ctx, name, value, choices as readonly unknown[])
    : textReader(schema);
}

/** One of the allowed texts. Throws 400 for another value. */
export function oneOfTexts<T>(ctx: Koa.Context, name: string, value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const allowed = choices.map((choice) => `"${String(choice)}"`).join(' or ');
  return ctx.throw(400, `${name}: must be ${allowed} if it is given; got ${quote(value)}`);
}

function textReader(schema: Schema): ReadField {
  const { minLength = 0, maxLength = Infinity } = schema as {
    readonly minLength?: number;
    readonly maxLength?: number;
  };
  return (value, { name }, { ctx }) => {
    if (typeof value !== 'string') return ctx.throw(400, `${name}: must be given`);
    if (value.length >= minLength && value.length <= maxLength) return value;
    return ctx.throw(400, `${name}: must have ${minLength} to ${maxLength} characters; got ${quote(value)}`);
  };
}
