import { TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import { RANGE_MAX_DAYS } from '@tallybook/domain/record';
import { orNull, ref, type Schema } from './schema.js';
import {
  cacheable,
  failure,
  internalError,
  noPlace,
  notStored,
  readable,
  type Operation,
  type Paths,
} from './operation.js';

export const rangeSchemas: Readonly<Record<string, Schema>> = {
  Table: {
    type: 'object',
    properties: {
      days: { ...ref('Days'), description: 'The days of the range with a record, ascending.' },
      people: {
        type: 'array',
        items: ref('Person'),
        description:
          'People with a name, by last and first name; then tags without a name that have scans in the range, by id.',
      },
    },
    required: ['days', 'people'],
  },
  Code: {
    type: 'string',
    pattern: '^P[2-9A-HJ-NP-TV-Z]{9}$',
    description: 'Code for a person, with `pseudonyms=1`.',
  },
  Person: {
    type: 'object',
    description: 'All tags with the same name, or one tag without a name.',
    properties: {
      name: orNull('Name'),
      ids: {
        type: 'array',
        items: { anyOf: [ref('TallyId'), ref('Code')] },
        minItems: 1,
        description: 'Ascending.',
      },
      days: {
        type: 'object',
        description: 'The days with a scan of one of the tags, by number.',
        additionalProperties: ref('Presence'),
      },
    },
    required: ['name', 'ids', 'days'],
  },
  Presence: {
    type: 'object',
    description: 'One day of a person, with the scans of all tags of the person.',
    properties: {
      first: ref('Timestamp'),
      last: ref('Timestamp'),
      scans: { type: 'integer', minimum: 1, description: 'Number of scans.' },
    },
    required: ['first', 'last', 'scans'],
    examples: [{ first: 1_763_510_400, last: 1_763_539_200, scans: 2 }],
  },
};

interface QueryParameter {
  readonly name: string;
  readonly in: 'query';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

const u64: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${TIMESTAMP_MAX_U64}` };

/** A range with a limited number of days. */
const rangeParameters: readonly QueryParameter[] = [
  {
    name: 'from',
    in: 'query',
    description: `A second of the first day. A range has at most ${RANGE_MAX_DAYS} days.`,
    required: true,
    schema: u64,
  },
  { name: 'to', in: 'query', description: 'A second of the last day.', required: true, schema: u64 },
];

/** Whether codes replace names and tags, for statistics. */
const codesParameter: QueryParameter = {
  name: 'pseudonyms',
  in: 'query',
  description:
    '`1` replaces the tags and the name of a person by a random code, and rounds times down to a quarter of an hour. Each answer has other codes.',
  schema: { enum: ['0', '1'], default: '0' },
};

/** Shape, language and time zone of a sheet. */
const sheetParameters: readonly QueryParameter[] = [
  ...rangeParameters,
  codesParameter,
  {
    name: 'shape',
    in: 'query',
    description:
      '`table`: a row for each person, and a column for each day. `entries`: a row for each tag on each day.',
    schema: { enum: ['table', 'entries'], default: 'table' },
  },
  {
    name: 'lang',
    in: 'query',
    description: 'Language of the titles. Default: the one that `Accept-Language` prefers, or `en`.',
    schema: { enum: ['en', 'de'] },
  },
  {
    name: 'zone',
    in: 'query',
    description:
      'IANA time zone of the times. Default: the zone of the service. Days are always days of the service.',
    schema: { type: 'string', examples: ['Europe/Berlin'] },
  },
];

/** Form of a sheet as text. */
const csvParameters: readonly QueryParameter[] = [
  ...sheetParameters,
  {
    name: 'profile',
    in: 'query',
    description:
      '`spreadsheet`: written so that spreadsheet programs read no name as a formula and no id as a number. `data`: unchanged text, for programs.',
    schema: { enum: ['spreadsheet', 'data'], default: 'spreadsheet' },
  },
  {
    name: 'delimiter',
    in: 'query',
    description:
      'Delimiter of cells. Default: `comma` with `profile=data`; otherwise `semicolon` if the language uses decimal commas, else `comma`.',
    schema: { enum: ['comma', 'semicolon', 'tab'] },
  },
  {
    name: 'bom',
    in: 'query',
    description:
      'Whether the file begins with a byte order mark. Default: `yes` with `profile=spreadsheet`, `no` with `profile=data`.',
    schema: { enum: ['yes', 'no'] },
  },
];

const badRange = failure(
  'A parameter is missing, invalid or given twice, or the range is too long; the answer names the parameter and the reason.',
);

/** The attendance of people in a range of days. */
export const rangePaths: Paths = {
  '/api/table': readable({
    operationId: 'readTable',
    summary: 'Who was there on each day of a range',
    parameters: [...rangeParameters, codesParameter],
    responses: {
      ...cacheable('The table. It has no days if the day of `from` is later than the day of `to`.', 'Table'),
      400: badRange,
      500: internalError,
    },
  }),
  '/api/csv': readable({
    operationId: 'exportCsv',
    summary: 'Who was there on each day of a range, as CSV for spreadsheets and programs',
    parameters: csvParameters,
    responses: {
      ...download('text/csv', 'UTF-8. Lines end with CR and LF, and text is in quotes.'),
      400: badRange,
      500: internalError,
      503: noPlace,
    },
  }),
  '/api/xlsx': readable({
    operationId: 'exportXlsx',
    summary: 'Who was there on each day of a range, as an Excel workbook',
    parameters: sheetParameters,
    responses: {
      ...download(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'A workbook with one sheet, or with several if one sheet cannot hold all rows.',
      ),
      400: badRange,
      500: internalError,
      503: noPlace,
    },
  }),
};

function download(type: string, description: string): Operation['responses'] {
  const headers = {
    ...notStored,
    'Content-Disposition': {
      schema: { type: 'string' },
      description: 'A file name with the first and the last day of the range.',
    },
  };
  return { 200: { description, headers, content: { [type]: { schema: { type: 'string' } } } } };
}
