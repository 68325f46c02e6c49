import { DAY_MAX, TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import { JSON_MAX_BYTES } from '../../requests/read-json.js';
import { ref, type Schema } from './schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: Schema; readonly description: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** A method on a path, in the form of OpenAPI. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Answer & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** Operations by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A parameter of the query. */
export function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

/** A parameter of the query that has to be there. */
export function required(name: string, description: string, schema: Schema): Parameter {
  return { ...query(name, description, schema), required: true };
}

/** The parameter with which a manager of access also gets the data of other users. */
export const ofEverybody: Parameter = query(
  'all',
  '`1` lists those of all users. Needs the right `manage-access`.',
  { const: '1' },
);

/** Headers of answers that must not be cached. */
export const notStored: NonNullable<Answer['headers']> = {
  'Cache-Control': { schema: { const: 'no-store' }, description: 'The answer is valid at this moment only.' },
};

export const refusedBodies: Operation['responses'] = {
  413: failure('The body is too large.'),
  415: failure('The body is not application/json in UTF-8, or it is compressed.'),
};

export const noRoom: Answer = failure(
  'Other reads or large answers are under way (`Retry-After` says when to try again), or the data need more memory than the service has (`NOT_ENOUGH_MEMORY`).',
);

export const noPlace: Answer = failure(
  'The maximum number of exports, in all or for this client, is running (`Retry-After` says when to try again), or the data need more memory than the service has (`NOT_ENOUGH_MEMORY`).',
);

export const internalError: Answer = failure('The service has an internal error. The log has the reason.');

/** GET, and HEAD, which answers with the same headers and no body. */
export function readable(get: Operation): { readonly get: Operation; readonly head: Operation } {
  const responses = Object.entries(get.responses).map(([status, answer]) => [
    status,
    { ...answer, content: {} },
  ]);
  const head = {
    ...get,
    operationId: `${get.operationId}Head`,
    summary: `${get.summary} (headers only)`,
    responses: Object.fromEntries(responses) as Operation['responses'],
  };
  return { get, head };
}

export function cacheable(description: string, schema?: string): Operation['responses'] {
  const headers = { ETag: { schema: { type: 'string' }, description: 'Strong.' } };
  const content = { 'application/json': { schema: schema === undefined ? { type: 'object' } : ref(schema) } };
  return {
    200: { description, headers, content },
    304: { description: 'Not changed: the `ETag` in `If-None-Match` is still current.', headers },
    503: noRoom,
  };
}

export function momentary(schema: string): Operation['responses'] {
  const content = { 'application/json': { schema: ref(schema) } };
  return { 200: { description: 'The present state.', headers: notStored, content } };
}

export function madeOf(schema: string): Pick<Answer, 'headers' | 'content'> {
  return { headers: notStored, content: { 'application/json': { schema: ref(schema) } } };
}

export function jsonRequest(schema: string): NonNullable<Operation['requestBody']> {
  return {
    description: `JSON in UTF-8, at most ${JSON_MAX_BYTES} bytes.`,
    required: true,
    content: { 'application/json': { schema: ref(schema) } },
  };
}

export function failure(description: string): Answer {
  const text = { schema: { type: 'string', pattern: '^[^\\n]+$' } };
  return {
    description,
    content: { 'text/plain': text, 'application/problem+json': { schema: ref('Problem') } },
  };
}

export const u64: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${TIMESTAMP_MAX_U64}` };
const u32: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${DAY_MAX}` };

/** A day, given by one of its seconds or by its number. */
export const ofOneDay: readonly Parameter[] = [
  query('timestamp', 'Any second of the day. It takes precedence over `day`.', u64),
  query('day', 'The day. Ignored if there is a `timestamp`.', u32),
];

/** A range of days of any length. */
export const betweenMoments: readonly Parameter[] = [
  required('from', 'A second of the first day.', u64),
  required('to', 'A second of the last day.', u64),
];

/** A tag. {@link inFormat} is beside it. */
export const ofOneTag: Parameter = query('id', 'The tag.', ref('TypedId'));

/** The parameter for the spelling of an id. */
export const inFormat: Parameter = query('format', 'Spelling of the id.', ref('IdFormat'));
