import { RANGE_MAX_DAYS, TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import type { Schema } from '../schema.js';

interface QueryParameter {
  readonly name: string;
  readonly in: 'query';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

const u64: Schema = { type: 'string', pattern: '^[0-9]+$', description: `0 to ${TIMESTAMP_MAX_U64}` };

/** A range with a limited number of days. */
export const rangeParameters: readonly QueryParameter[] = [
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
export const codesParameter: QueryParameter = {
  name: 'pseudonyms',
  in: 'query',
  description:
    '`1`: a random code replaces the tags and the name of each person, and times are rounded down to a quarter of an hour. Each answer has other codes.',
  schema: { enum: ['0', '1'], default: '0' },
};

/** Shape, language and time zone of a sheet. */
export const sheetParameters: readonly QueryParameter[] = [
  ...rangeParameters,
  codesParameter,
  {
    name: 'shape',
    in: 'query',
    description: '`table`: people and days. `entries`: a row for each tag on each day, with its times.',
    schema: { enum: ['table', 'entries'], default: 'table' },
  },
  {
    name: 'lang',
    in: 'query',
    description: 'Language of the titles. Default: the preferred one of `Accept-Language`, or en.',
    schema: { enum: ['en', 'de'] },
  },
  {
    name: 'zone',
    in: 'query',
    description:
      'IANA time zone of the times. Default: the zone of the service. The days are always those of the service.',
    schema: { type: 'string', examples: ['Europe/Berlin'] },
  },
];

/** Form of a sheet as text. */
export const csvParameters: readonly QueryParameter[] = [
  ...sheetParameters,
  {
    name: 'profile',
    in: 'query',
    description:
      '`spreadsheet`: spreadsheets can take no text for a formula, and no id for a number. `data`: bare text, for programs.',
    schema: { enum: ['spreadsheet', 'data'], default: 'spreadsheet' },
  },
  {
    name: 'delimiter',
    in: 'query',
    description:
      'Delimiter of cells. Default: semicolon if the language has decimal commas, else comma; for `data` comma.',
    schema: { enum: ['comma', 'semicolon', 'tab'] },
  },
  {
    name: 'bom',
    in: 'query',
    description:
      'Whether the file begins with a byte order mark. Default: yes for `spreadsheet`, no for `data`.',
    schema: { enum: ['yes', 'no'] },
  },
];
