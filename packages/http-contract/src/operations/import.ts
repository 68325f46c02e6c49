import { NAME_LIST_MAX_LINES } from '@tallybook/domain/record';
import { json, operation, refusal, tooManyReads, type Body } from '../operation.js';
import {
  array,
  boolean,
  component,
  integer,
  object,
  oneOf,
  optional,
  orNull,
  parsed,
  record,
  string,
  type Schema,
  type TypeOf,
} from '../schema.js';
import { IdFormat, inFormat, PersonId, TallyId } from '../values.js';
import { LastSeen, ListReading, Name, RefusedLine } from './names.js';

const line = integer({ minimum: 1, description: 'Line of the list, from 1.' });

const ImportedPerson = component(
  'ImportedPerson',
  {
    id: PersonId,
    name: orNull(Name),
    number: orNull(string()),
    groups: array(string(), 'Names of the groups that they are in today.'),
    tags: array(TallyId, 'The tags that they hold now.'),
    isGuest: optional(boolean('Present for guests.')),
  },
  'A person as they are before the import.',
);
export type ImportedPerson = TypeOf<typeof ImportedPerson>;

const ImportedTag = component('ImportedTag', {
  id: TallyId,
  text: optional(string('The id as it is written in the list. Absent if it was read as hex.')),
  format: optional(IdFormat),
  lastSeen: optional(LastSeen),
});

/** Why a row of a list needs a choice. */
const importDoubts = ['another-name', 'namesakes', 'two-persons', 'tag-twice', 'number-twice'] as const;

const ImportRow = component(
  'ImportRow',
  {
    line,
    state: oneOf(['new', 'changed', 'same', 'doubtful', 'skipped']),
    person: orNull(
      PersonId,
      'Whom the row means, or may mean if it is doubtful; null: somebody new who is not added yet, or not decided.',
    ),
    by: orNull(oneOf(['person', 'tag', 'number', 'name']), 'By what they were found; null: they were not.'),
    name: Name,
    number: orNull(string()),
    groups: orNull(array(string()), 'Names; null: the list says nothing of groups.'),
    tags: array(ImportedTag),
    before: orNull(ImportedPerson),
    changes: array(oneOf(['name', 'number', 'groups', 'guest', 'tag'])),
    doubts: array(
      oneOf(
        importDoubts,
        '`another-name`: the tag or number is that of somebody with another first name, or the whole name is somebody else’s. `namesakes`: several persons or rows have this name, or several rows are one person. `two-persons`: tag and number are those of two persons. `tag-twice`, `number-twice`: two rows have it.',
      ),
    ),
    candidates: array(ImportedPerson, 'Whom the row may mean.'),
  },
  'A row of a list, and what it does or would do.',
);
export type ImportRow = TypeOf<typeof ImportRow>;

const count = integer('Number of rows.');

const ImportReport = component(
  'ImportReport',
  {
    isDryRun: boolean(),
    new: count,
    changed: count,
    same: count,
    doubtful: count,
    withoutTag: integer('Number of persons who have no tag yet.'),
    runningNumber: boolean(
      'Whether the numbers seem to count the rows, and nobody said what they are. They were left out, and the list is refused if it is not a dry run.',
    ),
    rows: array(ImportRow, 'In the order of the list, without those that are the same.'),
    left: array(
      ImportedPerson,
      'Members who are not in the list, at most 1,000. They are not removed. Empty if the list has nobody who is known.',
    ),
    refused: array(RefusedLine, 'Empty unless it is a dry run.'),
    newGroups: array(string(), 'Names of groups that are made.'),
    reading: ListReading,
  },
  'What a list changed, or what a dry run of it would change.',
);
export type ImportReport = TypeOf<typeof ImportReport>;

export const ImportChoices = record(
  string(),
  object({
    take: string('`new`, `skip`, or the id of a person.'),
    rename: optional(boolean('Whether the person gets the name of the row. Default: true.')),
    tags: optional(
      oneOf(
        ['add', 'replace'],
        '`replace`: the tags that they held are lost. Default: `add`, a further tag.',
      ),
    ),
  }),
  'What to do with a row, by its line.',
);
export type ImportChoices = TypeOf<typeof ImportChoices>;

/** Allowed types of a request with a list. The form of the list is recognised by its bytes. */
export const LIST_TYPES: readonly string[] = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/jsonl',
  'application/x-ndjson',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

/** Largest file: 1 MiB. */
export const FILE_MAX_BYTES = 1_048_576;

const list: Body = {
  description: `A list in XLSX, CSV or JSON Lines, at most ${FILE_MAX_BYTES} bytes and ${NAME_LIST_MAX_LINES} rows, a person each. In a form it is the only file, and a field \`choices\` may have ImportChoices in JSON. The service detects separator, encoding and columns.`,
  content: Object.fromEntries(
    [...LIST_TYPES, 'multipart/form-data'].map((type) => [type, { schema: string() }]),
  ),
};

function columnOf(what: string): Schema<string | number, 'raw'> {
  return parsed(
    'raw',
    string(),
    `Column of the ${what}: its title, or its number from 1; 0 if there is none. Default: by the known titles.`,
  );
}

/** Import of persons from a list. */
export const importOperations = {
  'POST /api/people': operation({
    id: 'importPeople',
    summary: 'Import persons from a list: all of them durably, or none',
    action: 'change-names',
    query: {
      'dry-run': optional(oneOf(['1', '0'], '`1` shows the changes of the list, and changes nothing.')),
      format: inFormat('Spelling of all ids of the list.'),
      encoding: optional(
        string(
          'Encoding of the list, such as `windows-1250` or `macintosh`. Default: detected, else guessed from its letters.',
        ),
      ),
      sheet: optional(
        parsed(
          'raw',
          string(),
          'Sheet of a workbook: its name, or its number from 1. Default: the first one that is not hidden.',
        ),
      ),
      'id-column': optional(columnOf('tag')),
      'first-column': optional(columnOf('first name')),
      'last-column': optional(columnOf('last name')),
      'number-column': optional(columnOf('number of the member')),
      'group-column': optional(columnOf('groups')),
      'person-column': optional(columnOf('id of the person')),
      numbers: optional(
        oneOf(
          ['member', 'running'],
          '`member`: the numbers say who somebody is. `running`: they count the rows, and are left out. Default: as they seem.',
        ),
      ),
    },
    body: list,
    invalid:
      '`dry-run`, `numbers`, `format` or the encoding is unknown, the body is a form without exactly one file, or `choices` is not ImportChoices.',
    answers: {
      200: json(
        ImportReport,
        'The changes that were made, or that a dry run would make. Only a dry run has refused lines.',
      ),
      409: refusal('The time is needed, and not known (`CLOCK_NOT_TRUSTED`).'),
      422: refusal(
        'Lines of the list are wrong, or doubtful without a choice. `refused` has the lines and the reasons, at most 1,000, and `reading` how the list was read. Nothing was written.',
      ),
      503: tooManyReads,
    },
  }),
};
