import { RANGE_MAX_DAYS } from '@tallybook/domain/record';
import {
  array,
  component,
  either,
  integer,
  named,
  oneOf,
  optional,
  orNull,
  record,
  string,
  type TypeOf,
} from '../schema.js';
import { cached, file, tooManyExports, operation } from '../operation.js';
import { GroupId, ofGroup, secondOf, TallyId, Timestamp } from '../values.js';
import { Days } from './days.js';
import { Name } from './names.js';

const Presence = component(
  'Presence',
  {
    first: Timestamp,
    last: Timestamp,
    scans: integer({ minimum: 1, description: 'Number of scans.' }),
    isOutside: optional(
      oneOf(
        [true],
        'With `group`: the person was not in the group on that day, so the day does not count. Absent otherwise.',
      ),
    ),
  },
  {
    description: 'One day of a person, with the scans of all tags of the person.',
    examples: [{ first: 1_763_510_400, last: 1_763_539_200, scans: 2 }],
  },
);
export type Presence = TypeOf<typeof Presence>;

const Code = named(
  'Code',
  string({
    pattern: '^P[2-9A-HJ-NP-TV-Z]{9}$',
    description: 'Code for a person, with `pseudonyms=1`.',
  }),
);

const TablePerson = component(
  'TablePerson',
  {
    person: orNull(string(), 'Id of the person; null for a tag that nobody held, and with `pseudonyms=1`.'),
    name: orNull(Name),
    number: orNull(string(), 'The number of the member.'),
    groups: array(
      GroupId,
      'The groups that the person is in on a day of the range, ascending. Empty with `pseudonyms=1`.',
    ),
    ids: array(either([TallyId, Code]), 'Tags that the person holds now, or lost, ascending.'),
    days: record(string(), Presence, 'The days with a scan of one of the tags, by number.'),
  },
  'A person, or a tag in the time in which nobody held it.',
);
export type TablePerson = TypeOf<typeof TablePerson>;

const TableGroup = component(
  'TableGroup',
  {
    id: GroupId,
    name: string(),
    days: record(
      string(),
      integer({ minimum: 1 }),
      'Number of persons of the group who were there, by the number of the day. A day without any is left out.',
    ),
  },
  'A group with the number of its persons on each day.',
);
export type TableGroup = TypeOf<typeof TableGroup>;

const Table = component('Table', {
  days: Days,
  groups: array(
    TableGroup,
    'The groups of these persons, by name; only the chosen one with `group`. Empty with `pseudonyms=1`.',
  ),
  people: array(
    TablePerson,
    'People with a name, by last and first name; then tags with scans in the range that nobody held, by id.',
  ),
});
export type Table = TypeOf<typeof Table>;

const ofRange = {
  from: secondOf(`A second of the first day. A range has at most ${RANGE_MAX_DAYS} days.`),
  to: secondOf('A second of the last day.'),
  group: ofGroup(
    'Only the persons who are in this group on a day of the range. Their days outside of it are marked and do not count.',
  ),
  pseudonyms: optional(
    oneOf(['1', '0'], {
      description:
        '`1` replaces the tags and the name of a person by a random code, and rounds times down to a quarter of an hour. Each answer has other codes.',
      default: '0',
    }),
  ),
};

const ofSheet = {
  ...ofRange,
  shape: optional(
    oneOf(['table', 'entries'], {
      description:
        '`table`: a row for each person, and a column for each day. `entries`: a row for each tag on each day.',
      default: 'table',
    }),
  ),
  lang: optional(
    oneOf(['en', 'de'], 'Language of the titles. Default: the one that `Accept-Language` prefers, or `en`.'),
  ),
  zone: optional(
    string({
      description:
        'IANA time zone of the times. Default: the zone of the service. Days are always days of the service.',
      examples: ['Europe/Berlin'],
    }),
  ),
};

const invalid =
  'A parameter is missing, invalid or given twice, or the range is too long; the answer names the parameter and the reason.';

const fileName = 'A file name with the first and the last day of the range.';

/** The attendance of people in a range of days. */
export const rangeOperations = {
  'GET /api/table': operation({
    id: 'readTable',
    summary: 'Who was there on each day of a range',
    action: 'see-record',
    isByGroup: true,
    isCostly: true,
    query: ofRange,
    invalid,
    answers: cached(Table, 'The table. It has no days if the day of `from` is later than the day of `to`.'),
  }),
  'GET /api/csv': operation({
    id: 'exportCsv',
    summary: 'Who was there on each day of a range, as CSV for spreadsheets and programs',
    action: 'export-record',
    isByGroup: true,
    isCostly: true,
    query: {
      ...ofSheet,
      profile: optional(
        oneOf(['spreadsheet', 'data'], {
          description:
            '`spreadsheet`: written so that spreadsheet programs read no name as a formula and no id as a number. `data`: unchanged text, for programs.',
          default: 'spreadsheet',
        }),
      ),
      delimiter: optional(
        oneOf(
          ['comma', 'semicolon', 'tab'],
          'Delimiter of cells. Default: `comma` with `profile=data`; otherwise `semicolon` if the language uses decimal commas, else `comma`.',
        ),
      ),
      bom: optional(
        oneOf(
          ['yes', 'no'],
          'Whether the file begins with a byte order mark. Default: `yes` with `profile=spreadsheet`, `no` with `profile=data`.',
        ),
      ),
    },
    invalid,
    answers: {
      200: file('text/csv', 'UTF-8. Lines end with CR and LF, and text is in quotes.', fileName),
      503: tooManyExports,
    },
  }),
  'GET /api/xlsx': operation({
    id: 'exportXlsx',
    summary: 'Who was there on each day of a range, as an Excel workbook',
    action: 'export-record',
    isByGroup: true,
    isCostly: true,
    query: ofSheet,
    invalid,
    answers: {
      200: file(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'A workbook with one sheet, or with several if one sheet cannot hold all rows.',
        fileName,
      ),
      503: tooManyExports,
    },
  }),
};
