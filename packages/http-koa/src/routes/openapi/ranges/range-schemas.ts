import { orNull, ref, type Schema } from '../schema.js';

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
