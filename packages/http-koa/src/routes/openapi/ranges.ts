import { RANGE_MAX_DAYS } from '@tallybook/domain/record';
import { array, object, orNull, ref, type Schema } from './schema.js';
import {
  cacheable,
  failure,
  internalError,
  noPlace,
  notStored,
  query,
  required,
  u64,
  readable,
  type Operation,
  type Paths,
  type Parameter,
} from './operation.js';

export const rangeSchemas: Readonly<Record<string, Schema>> = {
  Table: object({
    days: ref('Days', 'The days of the range with a record, ascending.'),
    people: array(
      ref('Person'),
      'People with a name, by last and first name; then tags without a name that have scans in the range, by id.',
    ),
  }),
  Code: {
    type: 'string',
    pattern: '^P[2-9A-HJ-NP-TV-Z]{9}$',
    description: 'Code for a person, with `pseudonyms=1`.',
  },
  Person: object(
    {
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
    'All tags with the same name, or one tag without a name.',
  ),
  Presence: object(
    {
      first: ref('Timestamp'),
      last: ref('Timestamp'),
      scans: { type: 'integer', minimum: 1, description: 'Number of scans.' },
    },
    {
      description: 'One day of a person, with the scans of all tags of the person.',
      examples: [{ first: 1_763_510_400, last: 1_763_539_200, scans: 2 }],
    },
  ),
};

/** A range with a limited number of days. */
const rangeParameters: readonly Parameter[] = [
  required('from', `A second of the first day. A range has at most ${RANGE_MAX_DAYS} days.`, u64),
  required('to', 'A second of the last day.', u64),
];

/** Whether codes replace names and tags, for statistics. */
const codesParameter: Parameter = query(
  'pseudonyms',
  '`1` replaces the tags and the name of a person by a random code, and rounds times down to a quarter of an hour. Each answer has other codes.',
  { enum: ['0', '1'], default: '0' },
);

/** Shape, language and time zone of a sheet. */
const sheetParameters: readonly Parameter[] = [
  ...rangeParameters,
  codesParameter,
  query(
    'shape',
    '`table`: a row for each person, and a column for each day. `entries`: a row for each tag on each day.',
    { enum: ['table', 'entries'], default: 'table' },
  ),
  query('lang', 'Language of the titles. Default: the one that `Accept-Language` prefers, or `en`.', {
    enum: ['en', 'de'],
  }),
  query(
    'zone',
    'IANA time zone of the times. Default: the zone of the service. Days are always days of the service.',
    { type: 'string', examples: ['Europe/Berlin'] },
  ),
];

/** Form of a sheet as text. */
const csvParameters: readonly Parameter[] = [
  ...sheetParameters,
  query(
    'profile',
    '`spreadsheet`: written so that spreadsheet programs read no name as a formula and no id as a number. `data`: unchanged text, for programs.',
    { enum: ['spreadsheet', 'data'], default: 'spreadsheet' },
  ),
  query(
    'delimiter',
    'Delimiter of cells. Default: `comma` with `profile=data`; otherwise `semicolon` if the language uses decimal commas, else `comma`.',
    { enum: ['comma', 'semicolon', 'tab'] },
  ),
  query(
    'bom',
    'Whether the file begins with a byte order mark. Default: `yes` with `profile=spreadsheet`, `no` with `profile=data`.',
    { enum: ['yes', 'no'] },
  ),
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
