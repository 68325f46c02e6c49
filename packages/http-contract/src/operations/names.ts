import { NAME_PART_MAX_LENGTH } from '@tallybook/domain';
import { UNNAMED_MAX_TAGS } from '@tallybook/domain/record';
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
  type TypeOf,
} from '../schema.js';
import { cached, empty, fields, json, tooManyReads, operation, refusal } from '../operation.js';
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
      { id: column, first: column, last: column, number: column, group: column, person: column },
      'Number of the column of the tag, each part of a name, the number of the member, the groups, and the id of the person, from 1: of several, the first.',
    ),
    sheets: array(text, 'Names of the sheets of a workbook that are not hidden. Empty for a text.'),
    sheet: orNull(string('The sheet that was read.')),
    questions: array(
      object({
        part: oneOf(['id', 'first', 'last', 'number', 'group', 'person']),
        couldBe: array(integer(), 'Numbers of columns, from 1. Empty: any.'),
      }),
      'Columns that cannot be told, and must be chosen. While there are any, the list is refused.',
    ),
    remarks: array(
      text,
      'For people, in the language that `Accept-Language` prefers, English or German: what was guessed and left out.',
    ),
  },
  'How a list was read.',
);
export type ListReading = TypeOf<typeof ListReading>;

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
      id: optional(parsed('raw', TypedId, 'Only the name of this tag.')),
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
  'GET /api/id': operation({
    id: 'readId',
    summary: 'The tags that a text may mean, as people write ids, and what is known of them',
    action: 'see-record',
    query: { text: parsed('raw', TypedId, 'The text.'), format: inFormat() },
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
