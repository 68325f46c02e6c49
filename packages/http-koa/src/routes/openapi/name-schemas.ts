import { NAME_PART_MAX_LENGTH } from '@tallybook/domain';
import { UNNAMED_MAX_TAGS } from '@tallybook/domain/record';
import { array, object, orNull, ref, string, type Schema } from './schema.js';

const count: Schema = { type: 'integer', minimum: 0 };
const text: Schema = { type: 'string' };
const column: Schema = { type: ['integer', 'null'], minimum: 1 };
const line: Schema = { type: 'integer', minimum: 1, description: 'Line of the list, from 1.' };

export const nameSchemas: Readonly<Record<string, Schema>> = {
  Name: object(
    {
      first: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
      last: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
    },
    {
      description: 'The name of the holder of a tag. At least one of the two parts is not empty.',
      examples: [{ first: 'Ada', last: 'Lovelace' }],
    },
  ),
  Mapping: {
    type: 'object',
    description: 'All names by TallyId, ascending.',
    propertyNames: ref('TallyId'),
    additionalProperties: ref('Name'),
    examples: [{ '04A2B3C4D5': { first: 'Ada', last: 'Lovelace' } }],
  },
  MappingOrName: { oneOf: [ref('Mapping'), ref('Name')] },
  NewMapping: object(
    { id: ref('TypedId'), format: ref('IdFormat'), name: ref('Name') },
    { optional: ['format'] },
  ),
  NameListReport: object(
    {
      dryRun: { type: 'boolean' },
      added: { ...count, description: 'Number of tags that had no name.' },
      changed: { ...count, description: 'Number of tags that had another name.' },
      same: { ...count, description: 'Number of tags that had this name already.' },
      changes: array(ref('ListedChange'), 'In the order of the list.'),
      refused: array(ref('RefusedLine'), 'Empty unless it is a dry run.'),
      reading: ref('ListReading'),
    },
    'The changes that a list of names made, or that a dry run would make.',
  ),
  ListReading: object(
    {
      encoding: { type: 'string', examples: ['windows-1252'] },
      guesses: array(
        ref('EncodingGuess'),
        'Possible encodings, the best one first. Empty if the encoding is certain or was chosen.',
      ),
      titles: array(text, 'Titles of the columns, else the first row.'),
      columns: object(
        { id: column, first: column, last: column },
        'Number of the column of the tag and of each part of a name, from 1.',
      ),
      withoutTag: { ...count, description: 'Number of persons without a tag. They are left out.' },
      remarks: array(
        text,
        'For people, in the language that `Accept-Language` prefers, English or German: what was guessed and left out.',
      ),
    },
    'How a list was read.',
  ),
  EncodingGuess: object({ encoding: text, words: array(text, 'Words of the list in this encoding.') }),
  ListedChange: object(
    {
      line,
      id: ref('TallyId'),
      before: orNull('Name'),
      after: ref('Name'),
      text: string('The id as it is written in the list. Absent if it was read as hex.'),
      format: ref('IdFormat'),
      lastSeen: ref('LastSeen', 'Only in a dry run, with `text`, if the tag was read before.'),
    },
    { optional: ['text', 'format', 'lastSeen'] },
  ),
  RefusedLine: object(
    {
      line,
      code: string('Stable.'),
      message: string('For people: what is wrong, and what is allowed.'),
      readings: array(
        object({ id: ref('TallyId'), format: ref('IdFormat') }),
        'What the id may mean. Present with `AMBIGUOUS_TALLY_ID` only.',
      ),
    },
    { optional: ['readings'] },
  ),
  IdReadings: object({
    readings: {
      type: 'array',
      items: ref('IdReading'),
      minItems: 1,
      description: 'One is the tag that is meant; of several, a person must choose.',
    },
    formats: array(ref('IdFormat'), 'Spellings of the readers of the service.'),
  }),
  IdReading: object(
    { id: ref('TallyId'), format: ref('IdFormat'), name: orNull('Name'), lastSeen: orNull('LastSeen') },
    {
      examples: [
        {
          id: '2196E651',
          format: 'dec10',
          name: null,
          lastSeen: { at: 1_763_535_600, day: 20_411, reader: 'door' },
        },
      ],
    },
  ),
  LastSeen: object(
    {
      at: ref('Timestamp'),
      day: ref('Day'),
      reader: string('Absent if that scan is not among the latest changes of the journal.'),
    },
    { optional: ['reader'], description: 'The latest scan of a tag.' },
  ),
  Unnamed: {
    type: 'array',
    items: ref('UnnamedTag'),
    maxItems: UNNAMED_MAX_TAGS,
    description: 'The latest first.',
  },
  UnnamedTag: object(
    {
      id: ref('TallyId'),
      at: ref('Timestamp', 'The latest scan.'),
      day: ref('Day', 'Day of the latest scan.'),
      scans: { type: 'integer', minimum: 1, description: 'Number of scans on the searched days.' },
      reader: string(
        'Reader of the latest scan. Absent if that scan is not among the latest changes of the journal.',
      ),
    },
    { optional: ['reader'] },
  ),
};
