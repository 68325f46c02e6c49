import { TIMESTAMP_MAX_U64 } from '@tallybook/domain';
import { RANGE_MAX_DAYS } from '@tallybook/domain/record';
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
    '`1` replaces the tags and the name of a person by a random code, and rounds times down to a quarter of an hour. Each answer has other codes.',
  schema: { enum: ['0', '1'], default: '0' },
};

/** Shape, language and time zone of a sheet. */
export const sheetParameters: readonly QueryParameter[] = [
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
export const csvParameters: readonly QueryParameter[] = [
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
