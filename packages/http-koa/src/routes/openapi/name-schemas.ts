import { NAME_PART_MAX_LENGTH } from '@tallybook/domain';
import { UNNAMED_MAX_TAGS } from '@tallybook/domain/record';
import { orNull, ref, type Schema } from './schema.js';

const count: Schema = { type: 'integer', minimum: 0 };
const text: Schema = { type: 'string' };
const column: Schema = { type: ['integer', 'null'], minimum: 1 };
const line: Schema = { type: 'integer', minimum: 1, description: 'Line of the list, from 1.' };

export const nameSchemas: Readonly<Record<string, Schema>> = {
  Name: {
    type: 'object',
    description: 'The name of the holder of a tag. At least one of the two parts is not empty.',
    properties: {
      first: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
      last: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
    },
    required: ['first', 'last'],
    examples: [{ first: 'Ada', last: 'Lovelace' }],
  },
  Mapping: {
    type: 'object',
    description: 'All names by TallyId, ascending.',
    propertyNames: ref('TallyId'),
    additionalProperties: ref('Name'),
    examples: [{ '04A2B3C4D5': { first: 'Ada', last: 'Lovelace' } }],
  },
  MappingOrName: { oneOf: [ref('Mapping'), ref('Name')] },
  NewMapping: {
    type: 'object',
    properties: {
      id: ref('TypedId'),
      format: ref('IdFormat'),
      name: ref('Name'),
    },
    required: ['id', 'name'],
  },
  NameListReport: {
    type: 'object',
    description: 'The changes that a list of names made, or that a dry run would make.',
    properties: {
      dryRun: { type: 'boolean' },
      added: { ...count, description: 'Number of tags that had no name.' },
      changed: { ...count, description: 'Number of tags that had another name.' },
      same: { ...count, description: 'Number of tags that had this name already.' },
      changes: { type: 'array', items: ref('ListedChange'), description: 'In the order of the list.' },
      refused: { type: 'array', items: ref('RefusedLine'), description: 'Empty unless it is a dry run.' },
      reading: ref('ListReading'),
    },
    required: ['dryRun', 'added', 'changed', 'same', 'changes', 'refused', 'reading'],
  },
  ListReading: {
    type: 'object',
    description: 'How a list was read.',
    properties: {
      encoding: { type: 'string', examples: ['windows-1252'] },
      guesses: {
        type: 'array',
        items: ref('EncodingGuess'),
        description:
          'Possible encodings, the best one first. Empty if the encoding is certain or was chosen.',
      },
      titles: { type: 'array', items: text, description: 'Titles of the columns, else the first row.' },
      columns: {
        type: 'object',
        description: 'Number of the column of the tag and of each part of a name, from 1.',
        properties: { id: column, first: column, last: column },
        required: ['id', 'first', 'last'],
      },
      withoutTag: { ...count, description: 'Number of persons without a tag. They are left out.' },
      remarks: {
        type: 'array',
        items: text,
        description:
          'For people, in the language that `Accept-Language` prefers, English or German: what was guessed and left out.',
      },
    },
    required: ['encoding', 'guesses', 'titles', 'columns', 'withoutTag', 'remarks'],
  },
  EncodingGuess: {
    type: 'object',
    properties: {
      encoding: text,
      words: { type: 'array', items: text, description: 'Words of the list in this encoding.' },
    },
    required: ['encoding', 'words'],
  },
  ListedChange: {
    type: 'object',
    properties: {
      line,
      id: ref('TallyId'),
      before: orNull('Name'),
      after: ref('Name'),
      text: {
        type: 'string',
        description: 'The id as it is written in the list. Absent if it was read as hex.',
      },
      format: ref('IdFormat'),
      lastSeen: {
        ...ref('LastSeen'),
        description: 'Only in a dry run, with `text`, if the tag was read before.',
      },
    },
    required: ['line', 'id', 'before', 'after'],
  },
  RefusedLine: {
    type: 'object',
    properties: {
      line,
      code: { type: 'string', description: 'Stable.' },
      message: { type: 'string', description: 'For people: what is wrong, and what is allowed.' },
      readings: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: ref('TallyId'), format: ref('IdFormat') },
          required: ['id', 'format'],
        },
        description: 'What the id may mean. Present with `AMBIGUOUS_TALLY_ID` only.',
      },
    },
    required: ['line', 'code', 'message'],
  },
  IdReadings: {
    type: 'object',
    properties: {
      readings: {
        type: 'array',
        items: ref('IdReading'),
        minItems: 1,
        description: 'One is the tag that is meant; of several, a person must choose.',
      },
      formats: {
        type: 'array',
        items: ref('IdFormat'),
        description: 'Spellings of the readers of the service.',
      },
    },
    required: ['readings', 'formats'],
  },
  IdReading: {
    type: 'object',
    properties: {
      id: ref('TallyId'),
      format: ref('IdFormat'),
      name: orNull('Name'),
      lastSeen: orNull('LastSeen'),
    },
    required: ['id', 'format', 'name', 'lastSeen'],
    examples: [
      {
        id: '2196E651',
        format: 'dec10',
        name: null,
        lastSeen: { at: 1_763_535_600, day: 20_411, reader: 'door' },
      },
    ],
  },
  LastSeen: {
    type: 'object',
    description: 'The latest scan of a tag.',
    properties: {
      at: ref('Timestamp'),
      day: ref('Day'),
      reader: {
        type: 'string',
        description: 'Absent if that scan is not among the latest changes of the journal.',
      },
    },
    required: ['at', 'day'],
  },
  Unnamed: {
    type: 'array',
    items: ref('UnnamedTag'),
    maxItems: UNNAMED_MAX_TAGS,
    description: 'The latest first.',
  },
  UnnamedTag: {
    type: 'object',
    properties: {
      id: ref('TallyId'),
      at: { ...ref('Timestamp'), description: 'The latest scan.' },
      day: { ...ref('Day'), description: 'Day of the latest scan.' },
      scans: { type: 'integer', minimum: 1, description: 'Number of scans on the searched days.' },
      reader: {
        type: 'string',
        description:
          'Reader of the latest scan. Absent if that scan is not among the latest changes of the journal.',
      },
    },
    required: ['id', 'at', 'day', 'scans'],
  },
};
