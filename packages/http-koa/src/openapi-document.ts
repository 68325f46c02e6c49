import { DAY_MAX, NAME_PART_MAX_LENGTH, TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import { BODY_MAX_BYTES } from './json-body.js';

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: Schema; readonly description: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Answer & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** An OpenAPI 3.1 document, as far as this interface needs one. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const schemas = {
  TallyId: {
    type: 'string',
    pattern: '^(?:[0-9A-F]{2}){3,10}$',
    description: 'The 3 to 10 bytes of a tag in upper-case hex. Text, never a number: leading zeros count.',
    examples: ['04A2B3C4D5'],
  },
  Name: {
    type: 'object',
    description: 'The holder of a tag. At least one of the two parts is not empty.',
    properties: {
      first: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
      last: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
    },
    required: ['first', 'last'],
    examples: [{ first: 'Ada', last: 'Lovelace' }],
  },
  Mapping: {
    type: 'object',
    description: 'All names by TallyId, ascending.',
    propertyNames: ref('TallyId'),
    additionalProperties: ref('Name'),
    examples: [{ '04A2B3C4D5': { first: 'Ada', last: 'Lovelace' } }],
  },
  NewMapping: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        pattern: '^[0-9A-Fa-f]{2}(?:[ :-]?[0-9A-Fa-f]{2}){2,9}$',
        description: 'A TallyId in either case, with or without ":", "-" or a space between bytes.',
        examples: ['04:a2:b3:c4:d5'],
      },
      name: ref('Name'),
    },
    required: ['id', 'name'],
  },
  Day: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: DAY_MAX,
    description: 'Calendar days since 1970-01-01.',
    examples: [20411],
  },
  Timestamp: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Whole seconds since 1970-01-01T00:00:00Z.',
    examples: [1_763_510_400],
  },
  AttendanceDay: {
    type: 'object',
    properties: {
      date: ref('Day'),
      ids: {
        type: 'array',
        items: ref('TallyId'),
        uniqueItems: true,
        description: 'Who was there, in the order of the first scan.',
      },
      entries: { type: 'array', items: ref('Entry'), description: 'Present with `expand=entries`.' },
    },
    required: ['date', 'ids'],
  },
  Entry: {
    type: 'object',
    properties: {
      id: ref('TallyId'),
      first: ref('Timestamp'),
      last: ref('Timestamp'),
      count: { type: 'integer', minimum: 1, description: 'Number of scans.' },
    },
    required: ['id', 'first', 'last', 'count'],
  },
  Days: { type: 'array', items: ref('Day'), uniqueItems: true, description: 'Ascending.' },
  Attendance: {
    type: 'object',
    description: 'The data of an `attendance` event.',
    properties: {
      id: ref('TallyId'),
      day: ref('Day'),
      at: ref('Timestamp'),
      outcome: { enum: ['counted', 'already-counted'] },
      name: { oneOf: [ref('Name'), { type: 'null' }] },
      reader: { type: 'string' },
    },
    required: ['id', 'day', 'at', 'outcome', 'name', 'reader'],
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details.',
    properties: {
      type: { const: 'about:blank' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string', description: 'Stable; absent if the request was wrong as HTTP.' },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
} as const;

const u64: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${TIMESTAMP_MAX_U64}` };
const u32: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${DAY_MAX}` };

const internalError = failure('Something is wrong on this side; the log says what.');

export const openApiDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Tallybook',
    version: '1.0.0',
    description:
      'Attendance by RFID tag. There is no authentication: the server listens on the loopback interface unless it is told otherwise. ' +
      'Other methods on these paths get 405, except OPTIONS, and other paths get 404.',
  },
  paths: {
    '/api/mapping': {
      ...readable({
        operationId: 'readMapping',
        summary: 'All names',
        responses: { ...cacheable('The mapping.', 'Mapping'), 500: internalError },
      }),
      post: {
        operationId: 'assignName',
        summary: 'Give a tag to somebody; the name is durable when the answer comes',
        requestBody: {
          description: `JSON in UTF-8, at most ${BODY_MAX_BYTES} bytes, also when gzip, deflate or br are undone.`,
          required: true,
          content: { 'application/json': { schema: ref('NewMapping') } },
        },
        responses: {
          200: { description: 'The name takes the place of another one. Empty body.' },
          201: { description: 'The tag had no name. Empty body.' },
          400: failure(
            'The body is not JSON, or a field is missing or invalid; the answer says which and why.',
          ),
          413: failure('The body is too large.'),
          415: failure('The body is not application/json in UTF-8, or compressed in an unknown way.'),
          500: internalError,
        },
      },
    },
    '/api/day': readable({
      operationId: 'readDay',
      summary: 'Who was there on one day',
      parameters: [
        {
          name: 'timestamp',
          in: 'query',
          description: 'Any second of the day. Decides if given.',
          schema: u64,
        },
        { name: 'day', in: 'query', description: 'The day. Ignored if there is a timestamp.', schema: u32 },
        {
          name: 'expand',
          in: 'query',
          description: 'Adds first scan, last scan and number of scans.',
          schema: { enum: ['entries'] },
        },
      ],
      responses: {
        ...cacheable('The record of the day.', 'AttendanceDay'),
        400: failure('A parameter is invalid or given twice.'),
        404: failure('Neither timestamp nor day is given, or the day has no record.'),
        500: internalError,
      },
    }),
    '/api/days': readable({
      operationId: 'listDays',
      summary: 'The days with a record between two moments, the days of both included',
      parameters: [
        { name: 'from', in: 'query', description: 'A second of the first day.', required: true, schema: u64 },
        { name: 'to', in: 'query', description: 'A second of the last day.', required: true, schema: u64 },
      ],
      responses: {
        ...cacheable('The days; none if the day of `from` is later than the day of `to`.', 'Days'),
        400: failure('A parameter is missing, invalid or given twice.'),
        500: internalError,
      },
    }),
    '/api/idevent': readable({
      operationId: 'streamEvents',
      summary: 'Every tap, live: `msg` with the bare TallyId at once, `attendance` when it is written down',
      parameters: [
        {
          name: 'Last-Event-ID',
          in: 'header',
          description:
            'Sent by a client that connects again: it gets what it missed, if that is still known.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'Server-sent events. The data of `attendance` is an Attendance in JSON.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        500: internalError,
      },
    }),
    '/api/openapi.json': readable({
      operationId: 'readOpenApi',
      summary: 'This document',
      responses: cacheable('An OpenAPI 3.1 document.'),
    }),
  },
  components: { schemas },
};

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** GET, and HEAD, which answers the same without the body. */
function readable(get: Operation): { readonly get: Operation; readonly head: Operation } {
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

function cacheable(description: string, schema?: keyof typeof schemas): Operation['responses'] {
  const headers = { ETag: { schema: { type: 'string' }, description: 'Strong.' } };
  const content = { 'application/json': { schema: schema === undefined ? { type: 'object' } : ref(schema) } };
  return {
    200: { description, headers, content },
    304: { description: 'What the client has, by If-None-Match, is still true.', headers },
  };
}

function failure(description: string): Answer {
  const text = { schema: { type: 'string', pattern: '^[^\\n]+$' } };
  return {
    description,
    content: { 'text/plain': text, 'application/problem+json': { schema: ref('Problem') } },
  };
}
