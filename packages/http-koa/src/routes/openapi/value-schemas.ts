import { DAY_MAX, spellingNames } from '@tallybook/domain';
import { ref, type Schema } from './schema.js';

/** Basic values: the other values consist of them. */
export const valueSchemas: Readonly<Record<string, Schema>> = {
  TallyId: {
    type: 'string',
    pattern: '^(?:[0-9A-F]{2}){3,10}$',
    description:
      'The 3 to 10 bytes of a tag in upper-case hex. It is a text, never a number: leading zeros count.',
    examples: ['04A2B3C4D5'],
  },
  TypedId: {
    type: 'string',
    description:
      'A tag as people write it: a TallyId in upper or lower case, with or without ":", "-" or a space between bytes; or an id as the readers of the service write it.',
    examples: ['04:a2:b3:c4:d5'],
  },
  IdFormat: {
    enum: [...spellingNames],
    description:
      'Spelling of an id. Programs send `hex`. If it is absent, the readers of the service decide.',
  },
  TallyIds: { type: 'array', items: ref('TallyId'), uniqueItems: true, description: 'Ascending.' },
  Day: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: DAY_MAX,
    description: 'Days since 1970-01-01.',
    examples: [20411],
  },
  Timestamp: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Whole seconds since 1970-01-01T00:00:00Z.',
    examples: [1_763_510_400],
  },
};
