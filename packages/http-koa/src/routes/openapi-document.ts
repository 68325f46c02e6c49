import { NAME_LIST_MAX_LINES } from '@tallybook/domain';
import { FORM_TYPE } from '../requests/file-of-form.js';
import { FILE_MAX_BYTES } from '../requests/read-file.js';
import { VERSION } from '../version.js';
import { LIST_TYPES } from './names/routes-people.js';
import { UNNAMED_DEFAULT_DAYS, UNNAMED_MAX_DAYS } from './names/routes-unnamed.js';
import {
  codesParameter,
  csvParameters,
  rangeParameters,
  sheetParameters,
} from './openapi-range-parameters.js';
import { accessPaths, securitySchemes } from './openapi/access-operations.js';
import { auditPaths } from './openapi/audit-operations.js';
import { correctionPaths } from './openapi/correction-operations.js';
import { healthPaths } from './openapi/health-operations.js';
import {
  cacheable,
  failure,
  internalError,
  jsonRequest,
  momentary,
  noRoom,
  notStored,
  readable,
  refusedBodies,
  type Operation,
  type Paths,
} from './openapi/operation.js';
import { betweenMoments, ofOneDay, ofOneTag } from './openapi/parameters.js';
import { passkeyPaths } from './openapi/passkey-operations.js';
import { personalPaths } from './openapi/personal-operations.js';
import { pushPaths } from './openapi/push-operations.js';
import { syncPaths } from './openapi/sync-operations.js';
import { ref, schemas, type Schema } from './openapi-schemas.js';

/** An OpenAPI 3.1 document, as far as this interface needs one. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
  /** One of them suffices; the empty one is for a service without users. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

const noPlace = failure(
  'As many exports as may run at a time are running. `Retry-After` says when to try again.',
);

const badRange = failure(
  'A parameter is missing, invalid or given twice, or the range is too long; the answer says which and why.',
);

const noName = failure('The tag has no name.');

const noSuchDay = failure('Neither timestamp nor day is given, or the day has no record.');

export const openApiDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Tallybook',
    version: VERSION,
    description:
      'Attendance by RFID tag. A service without users is open to everybody who reaches it; else one signs in, or sends a token. ' +
      'Other methods on these paths get 405, except OPTIONS, and other paths get 404.',
  },
  paths: withRefusals({
    '/api/mapping': {
      ...readable({
        operationId: 'readMapping',
        summary: 'All names, or that of one tag',
        parameters: [{ ...ofOneTag, description: 'Only the name of this tag.' }],
        responses: {
          ...cacheable('The mapping; with `id` the name of that tag.', 'MappingOrName'),
          400: failure('The id is invalid or given twice.'),
          404: noName,
          500: internalError,
        },
      }),
      post: {
        operationId: 'assignName',
        summary: 'Give a tag to somebody; the name is durable when the answer comes',
        requestBody: jsonRequest('NewMapping'),
        responses: {
          200: { description: 'The name takes the place of another one. Empty body.' },
          201: { description: 'The tag had no name. Empty body.' },
          400: failure(
            'The body is not JSON, or a field is missing or invalid; the answer says which and why.',
          ),
          ...refusedBodies,
          500: internalError,
        },
      },
      delete: {
        operationId: 'removeName',
        summary: 'Take a tag from whom it belongs to',
        parameters: [{ ...ofOneTag, required: true }],
        responses: {
          204: { description: 'It belongs to nobody, which is durable.' },
          400: failure('The id is missing, invalid or given twice.'),
          404: noName,
          500: internalError,
        },
      },
    },
    '/api/mappings': readable({
      operationId: 'listNamedTags',
      summary: 'The tags that have a name',
      responses: { ...cacheable('Their ids, ascending.', 'TallyIds'), 500: internalError },
    }),
    '/api/people': {
      post: {
        operationId: 'importNames',
        summary: 'Names from a list: all of it is taken, durably, or nothing',
        parameters: [
          {
            name: 'dry-run',
            in: 'query',
            description: '`1` says what the list would change, and changes nothing.',
            schema: { enum: ['0', '1'] },
          },
        ],
        requestBody: {
          description: `A list in CSV or JSON Lines, at most ${FILE_MAX_BYTES} bytes and ${NAME_LIST_MAX_LINES} lines; in a form it is the only file. Separator, encoding and columns are recognised.`,
          required: true,
          content: Object.fromEntries(
            [...LIST_TYPES, FORM_TYPE].map((type) => [type, { schema: { type: 'string' } }]),
          ),
        },
        responses: {
          200: {
            description: 'What it has changed, or would change. Only in a dry run lines are refused.',
            headers: notStored,
            content: { 'application/json': { schema: ref('NameListReport') } },
          },
          400: failure('`dry-run` is something else, or the body is no form with one file.'),
          413: failure('The body is too large.'),
          415: failure('The body is of another type, or it is compressed.'),
          422: failure(
            'Lines of the list are at fault; `refused` says which and why, 1,000 of them at most. Nothing was written.',
          ),
          500: internalError,
          503: noRoom,
        },
      },
    },
    '/api/unnamed': readable({
      operationId: 'listUnnamed',
      summary: 'The tags that were seen and have no name, the latest first',
      parameters: [
        {
          name: 'days',
          in: 'query',
          description: `How many days back are looked at, today among them: 1 to ${UNNAMED_MAX_DAYS}, default ${UNNAMED_DEFAULT_DAYS}.`,
          schema: { type: 'string', pattern: '^[0-9]{1,4}$' },
        },
      ],
      responses: {
        ...momentary('Unnamed'),
        400: failure('The number of days is invalid or given twice.'),
        500: internalError,
        503: noRoom,
      },
    }),
    '/api/day': {
      ...readable({
        operationId: 'readDay',
        summary: 'Who was there on one day',
        parameters: [
          ...ofOneDay,
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
          404: noSuchDay,
          500: internalError,
        },
      }),
      delete: {
        operationId: 'removeDay',
        summary: 'Remove the record of one day for good, as after taps under a wrong time',
        parameters: ofOneDay,
        responses: {
          204: { description: 'It is removed, which is durable.' },
          400: failure('A parameter is invalid or given twice.'),
          404: noSuchDay,
          500: internalError,
        },
      },
    },
    '/api/today': readable({
      operationId: 'readToday',
      summary: 'What time it is, and who is here today',
      responses: { ...momentary('Today'), 500: internalError, 503: noRoom },
    }),
    '/api/days': readable({
      operationId: 'listDays',
      summary: 'The days with a record between two moments, the days of both included',
      parameters: betweenMoments,
      responses: {
        ...cacheable('The days; none if the day of `from` is later than the day of `to`.', 'Days'),
        400: failure('A parameter is missing, invalid or given twice.'),
        500: internalError,
      },
    }),
    '/api/table': readable({
      operationId: 'readTable',
      summary: 'Who was there on which days of a range: people and days',
      parameters: [...rangeParameters, codesParameter],
      responses: {
        ...cacheable('The table; without days if the day of `from` is later than the day of `to`.', 'Table'),
        400: badRange,
        500: internalError,
      },
    }),
    '/api/csv': readable({
      operationId: 'exportCsv',
      summary: 'Who was there on which days of a range, as CSV for spreadsheets and programs',
      parameters: csvParameters,
      responses: {
        ...download('text/csv', 'UTF-8; lines end with CR and LF, and text is in quotes.'),
        400: badRange,
        500: internalError,
        503: noPlace,
      },
    }),
    '/api/xlsx': readable({
      operationId: 'exportXlsx',
      summary: 'Who was there on which days of a range, as an Excel workbook',
      parameters: sheetParameters,
      responses: {
        ...download(
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          'A workbook with one sheet; with more if there are more rows than Excel takes on one.',
        ),
        400: badRange,
        500: internalError,
        503: noPlace,
      },
    }),
    '/api/idevent': readable({
      operationId: 'streamEvents',
      summary:
        'Every tap, live: `msg` with the bare TallyId at once, then `attendance` when it is written down, or `failed`; `names` when names have changed, `day` when a day was removed or merged, and `reset` when changes may be missing',
      parameters: [
        {
          name: 'Last-Event-ID',
          in: 'header',
          description:
            'Sent by a client that connects again: it gets every change after this one, or a `reset` if that is not known.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description:
            'Server-sent events. The data of `attendance` is an Attendance in JSON, that of `failed` a Failed, that of `names` a NameCounts, that of `day` a DayChange, and that of `reset` a Reset. `msg` and `failed` have no id.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        500: internalError,
      },
    }),
    '/api/time': {
      ...readable({
        operationId: 'readTime',
        summary: 'What time it is for the service; as JSON also whether that is trusted',
        responses: {
          200: {
            description: 'Seconds since 1970-01-01T00:00:00Z in digits, or JSON if Accept prefers it.',
            headers: notStored,
            content: {
              'text/plain': { schema: { type: 'string', pattern: '^[0-9]+$' } },
              'application/json': { schema: ref('Time') },
            },
          },
          500: internalError,
        },
      }),
      post: {
        operationId: 'setTime',
        summary:
          'Set the time of the service, until it ends, where no time server does; the system keeps its own',
        requestBody: jsonRequest('NewTime'),
        responses: {
          200: { description: 'It is set. Empty body.' },
          400: failure('The body is not JSON, or the time is missing, invalid, or earlier than the program.'),
          409: failure(
            'The clock of the system follows a time server, or the time has to be confirmed. Nothing was set.',
          ),
          ...refusedBodies,
          500: internalError,
        },
      },
    },
    ...correctionPaths,
    '/api/provisional': readable({
      operationId: 'listProvisional',
      summary: 'The scans that were taken while the clock was not trusted',
      responses: { ...momentary('Provisional'), 500: internalError, 503: noRoom },
    }),
    '/api/backlog': readable({
      operationId: 'readBacklog',
      summary: 'How many scans wait in memory because the store cannot write',
      responses: { ...momentary('Backlog'), 500: internalError },
    }),
    '/api/readers': readable({
      operationId: 'listReaders',
      summary: 'How each reader fares',
      responses: { ...momentary('Readers'), 500: internalError },
    }),
    ...pushPaths,
    ...syncPaths,
    '/api/status': readable({
      operationId: 'readStatus',
      summary: 'How the program itself is doing: version, start, storage and publishers',
      responses: { ...momentary('Status'), 500: internalError },
    }),
    ...accessPaths,
    ...passkeyPaths,
    ...auditPaths,
    ...personalPaths,
    ...healthPaths,
    '/api/export': readable({
      operationId: 'exportAll',
      summary: 'A backup: everything that is stored, as it was when the answer began',
      responses: {
        200: {
          description:
            'JSON Lines, as `tallybook import` takes them. Whole only if the last line has the kind `end`.',
          headers: {
            ...notStored,
            'Content-Disposition': {
              schema: { type: 'string' },
              description: 'The name of a file, with the date if the clock is right.',
            },
          },
          content: { 'application/jsonl': { schema: { type: 'string' } } },
        },
        500: internalError,
        503: noPlace,
      },
    }),
    '/api/openapi.json': readable({
      operationId: 'readOpenApi',
      summary: 'This document',
      responses: cacheable('An OpenAPI 3.1 document.'),
    }),
  }),
  components: { schemas, securitySchemes },
  security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
};

/** What any request is refused with. */
function withRefusals(paths: Paths): Paths {
  const refusals: Operation['responses'] = {
    400: failure('The request is not valid, for example without `Host` or with two of them.'),
    401: failure('One has to sign in first, or nobody has set the service up.'),
    403: failure('One may not do this, or a page of another site asked for it.'),
    421: failure('`Host` is not known as a name of this service.'),
    429: failure(
      'Too many requests, or event streams, from one address. `Retry-After` says when to try again.',
    ),
  };
  const away = 'The store cannot be reached at present. `Retry-After` says when to try again.';
  const refusing = ({ responses, ...operation }: Operation): Operation => {
    const { 503: own } = responses;
    const unavailable =
      own === undefined ? failure(away) : { ...own, description: `${own.description} Or: ${away}` };
    return { ...operation, responses: { ...refusals, ...responses, 503: unavailable } };
  };
  return mapValues(paths, (operations) => mapValues(operations, refusing));
}

function mapValues<T, U = T>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function download(type: string, description: string): Operation['responses'] {
  const headers = {
    ...notStored,
    'Content-Disposition': {
      schema: { type: 'string' },
      description: 'The name of a file, with the first and the last day of the range.',
    },
  };
  return { 200: { description, headers, content: { [type]: { schema: { type: 'string' } } } } };
}
