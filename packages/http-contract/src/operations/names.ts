import { NAME_PART_MAX_LENGTH } from '@tallybook/domain';
import { NAME_LIST_MAX_LINES, UNNAMED_MAX_TAGS } from '@tallybook/domain/record';
import {
  array,
  boolean,
  component,
  described,
  integer,
  named,
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
import { cached, empty, fields, json, tooManyReads, operation, refusal, type Body } from '../operation.js';
import {
  Day,
  IdFormat,
  inFormat,
  numberIn,
  PersonId,
  TallyId,
  TallyIds,
  Timestamp,
  TypedId,
} from '../values.js';

const part = string({ maxLength: NAME_PART_MAX_LENGTH });
const text = string();
const column = orNull(integer({ minimum: 1 }));
const line = integer({ minimum: 1, description: 'Line of the list, from 1.' });

export const Name = component(
  'Name',
  { first: part, last: part },
  {
    description: 'The name of the holder of a tag. At least one of the two parts is not empty.',
    examples: [{ first: 'Ada', last: 'Lovelace' }],
  },
);
export type Name = TypeOf<typeof Name>;

export const Mapping = named(
  'Mapping',
  record(TallyId, Name, {
    description: 'All names by TallyId, ascending.',
    examples: [{ '04A2B3C4D5': { first: 'Ada', last: 'Lovelace' } }],
  }),
);
export type Mapping = TypeOf<typeof Mapping>;

export const LastSeen = component(
  'LastSeen',
  {
    at: Timestamp,
    day: Day,
    reader: optional(string('Absent if that scan is not among the latest changes of the journal.')),
  },
  'The latest scan of a tag.',
);
export type LastSeen = TypeOf<typeof LastSeen>;

const IdReading = component(
  'IdReading',
  {
    id: TallyId,
    format: IdFormat,
    name: orNull(Name),
    person: orNull(PersonId, 'Who holds the tag now; null: nobody.'),
    isLost: boolean('Whether the tag is lost.'),
    lastSeen: orNull(LastSeen),
  },
  {
    examples: [
      {
        id: '2196E651',
        format: 'dec10',
        name: null,
        person: null,
        isLost: false,
        lastSeen: { at: 1_763_535_600, day: 20_411, reader: 'door' },
      },
    ],
  },
);
export type IdReading = TypeOf<typeof IdReading>;

const IdReadings = component('IdReadings', {
  readings: array(IdReading, {
    minItems: 1,
    description: 'One is the tag that is meant; of several, a person must choose.',
  }),
  formats: array(IdFormat, 'Spellings of the readers of the service.'),
});

const UnnamedTag = component('UnnamedTag', {
  id: TallyId,
  at: described(Timestamp, 'The latest scan.'),
  day: described(Day, 'Day of the latest scan.'),
  scans: integer({ minimum: 1, description: 'Number of scans on the searched days.' }),
  reader: optional(
    string('Reader of the latest scan. Absent if that scan is not among the latest changes of the journal.'),
  ),
  lostBy: optional(
    object({ person: PersonId, name: orNull(Name) }, 'Who lost the tag. It was tapped since.'),
  ),
});
export type UnnamedTag = TypeOf<typeof UnnamedTag>;

const EncodingGuess = component('EncodingGuess', {
  encoding: text,
  words: array(text, 'Words of the list in this encoding.'),
});
export type EncodingGuess = TypeOf<typeof EncodingGuess>;

export const ListReading = component(
  'ListReading',
  {
    encoding: string({ examples: ['windows-1252'] }),
    guesses: array(
      EncodingGuess,
      'Possible encodings, the best one first. Empty if the encoding is certain or was chosen.',
    ),
    titles: array(text, 'Titles of the columns, else the first row.'),
    columns: object(
      { id: column, first: column, last: column },
      'Number of the column of the tag and of each part of a name, from 1.',
    ),
    withoutTag: integer('Number of persons without a tag. They are left out.'),
    remarks: array(
      text,
      'For people, in the language that `Accept-Language` prefers, English or German: what was guessed and left out.',
    ),
  },
  'How a list was read.',
);
export type ListReading = TypeOf<typeof ListReading>;

const ListedChange = component('ListedChange', {
  line,
  id: TallyId,
  before: orNull(Name),
  after: Name,
  text: optional(string('The id as it is written in the list. Absent if it was read as hex.')),
  format: optional(IdFormat),
  lastSeen: optional(described(LastSeen, 'Only in a dry run, with `text`, if the tag was read before.')),
});
export type NameChange = TypeOf<typeof ListedChange>;

export const RefusedLine = component('RefusedLine', {
  line,
  code: string('Stable.'),
  message: string('For people: what is wrong, and what is allowed.'),
  readings: optional(
    array(
      object({ id: TallyId, format: IdFormat }),
      'What the id may mean. Present with `AMBIGUOUS_TALLY_ID` only.',
    ),
  ),
});
export type RefusedLine = TypeOf<typeof RefusedLine>;

const NameListReport = component(
  'NameListReport',
  {
    isDryRun: boolean(),
    added: integer('Number of tags that had no name.'),
    changed: integer('Number of tags that had another name.'),
    same: integer('Number of tags that had this name already.'),
    changes: array(ListedChange, 'In the order of the list.'),
    refused: array(RefusedLine, 'Empty unless it is a dry run.'),
    reading: ListReading,
  },
  'The changes that a list of names made, or that a dry run would make.',
);
export type NameListReport = TypeOf<typeof NameListReport>;

/** Allowed types of a request with a list. The form of the list is recognised by its bytes. */
export const LIST_TYPES: readonly string[] = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/jsonl',
  'application/x-ndjson',
];

/** Largest file: 1 MiB. */
export const FILE_MAX_BYTES = 1_048_576;

const list: Body = {
  description: `A list in CSV or JSON Lines, at most ${FILE_MAX_BYTES} bytes and ${NAME_LIST_MAX_LINES} lines. In a form it is the only file. The service detects separator, encoding and columns.`,
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

/** Number of past days in which tags are searched: the default, and the maximum of ten years. */
export const UNNAMED_DEFAULT_DAYS = 60;
const UNNAMED_MAX_DAYS = 3_660;

const noName = refusal('The tag has no name.');

/** Names of tags, one by one and as a list, and the tags without a name. */
export const nameOperations = {
  'GET /api/mapping': operation({
    id: 'readMapping',
    summary: 'All names, or the name of one tag',
    action: 'see-today',
    query: {
      id: optional(parsed<string, 'raw'>('raw', TypedId, 'Only the name of this tag.')),
      format: inFormat(),
    },
    instead: { id: Name },
    invalid: 'The id is invalid, given twice, or can be read as two ids.',
    answers: {
      ...cached(Mapping, 'The mapping. With `id`, the name of that tag.'),
      404: noName,
    },
  }),
  'POST /api/mapping': operation({
    id: 'assignName',
    summary: 'Give a tag a name. The name is durable when the answer comes',
    action: 'change-names',
    body: fields({ id: TypedId, format: inFormat(), name: parsed('name', Name) }, 'NewMapping'),
    invalid:
      'The body is not JSON, a field is missing or invalid, or the id can be read as two ids; the answer names the field and the reason.',
    answers: {
      200: empty('The name replaces another one. Empty body.'),
      201: empty('The tag had no name. Empty body.'),
    },
  }),
  'DELETE /api/mapping': operation({
    id: 'removeName',
    summary: 'Remove the name of a tag',
    action: 'change-names',
    query: { id: described(TypedId, 'The tag.'), format: inFormat() },
    invalid: 'The id is missing, invalid, given twice, or can be read as two ids.',
    answers: {
      204: empty('The name is removed durably.'),
      404: noName,
      409: refusal('The id is that of a person without a tag (`PERSON_CONFLICT`): remove the person.'),
    },
  }),
  'GET /api/mappings': operation({
    id: 'listNamedTags',
    summary: 'The tags with a name',
    action: 'see-today',
    answers: cached(TallyIds, 'The ids, ascending.'),
  }),
  'POST /api/people': operation({
    id: 'importNames',
    summary: 'Import names from a list: all of them durably, or none',
    action: 'change-names',
    query: {
      'dry-run': optional(oneOf(['1', '0'], '`1` shows the changes of the list, and changes nothing.')),
      format: inFormat('Spelling of all ids of the list.'),
      encoding: optional(
        string(
          'Encoding of the list, such as `windows-1250` or `macintosh`. Default: detected, else guessed from its letters.',
        ),
      ),
      'id-column': optional(columnOf('tag')),
      'first-column': optional(columnOf('first name')),
      'last-column': optional(columnOf('last name')),
    },
    body: list,
    invalid:
      '`dry-run` is neither `0` nor `1`, `format` or the encoding is unknown, or the body is a form without exactly one file.',
    answers: {
      200: json(
        NameListReport,
        'The changes that were made, or that a dry run would make. Only a dry run has refused lines.',
      ),
      422: refusal(
        'Lines of the list are wrong. `refused` has the lines and the reasons, at most 1,000, and `reading` how the list was read. Nothing was written.',
      ),
      503: tooManyReads,
    },
  }),
  'GET /api/id': operation({
    id: 'readId',
    summary: 'The tags that a text may mean, as people write ids, and what is known of them',
    action: 'see-record',
    query: { text: parsed<string, 'raw'>('raw', TypedId, 'The text.'), format: inFormat() },
    invalid: 'The text is missing or given twice, or it is not an id.',
    answers: { 200: json(IdReadings) },
  }),
  'GET /api/unnamed': operation({
    id: 'listUnnamed',
    summary: 'The tags with scans but without a holder now, and the lost tags tapped since, the latest first',
    action: 'see-record',
    query: {
      days: numberIn(
        'digits',
        [1, UNNAMED_MAX_DAYS],
        `Number of days to search, back from today and including it: 1 to ${UNNAMED_MAX_DAYS}, default ${UNNAMED_DEFAULT_DAYS}.`,
      ),
    },
    answers: {
      200: json(
        named('Unnamed', array(UnnamedTag, { maxItems: UNNAMED_MAX_TAGS, description: 'The latest first.' })),
      ),
      503: tooManyReads,
    },
  }),
};
