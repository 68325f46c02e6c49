import { ref, type Schema } from '../schema.js';

export const provisionalSchemas: Readonly<Record<string, Schema>> = {
  Sequence: {
    type: 'integer',
    minimum: 1,
    description: 'Place of a provisional scan in the order of taking.',
  },
  Estimate: {
    type: 'object',
    description: 'The time is the best guess between these two; absent if it is known.',
    properties: { earliest: ref('Timestamp'), latest: ref('Timestamp') },
    required: ['earliest', 'latest'],
  },
  WaitingScan: {
    type: 'object',
    properties: {
      sequence: ref('Sequence'),
      id: ref('TallyId'),
      reader: { type: 'string' },
      shown: { ...ref('Timestamp'), description: 'What the clock showed that is not trusted.' },
      notBefore: {
        ...ref('Timestamp'),
        description: 'The latest scan that was recorded before; 0 if there was none.',
      },
    },
    required: ['sequence', 'id', 'reader', 'shown', 'notBefore'],
  },
  Provisional: {
    type: 'object',
    properties: {
      waiting: {
        type: 'array',
        description: 'Scans whose day and time are not known yet, in the order of taking.',
        items: ref('WaitingScan'),
      },
      estimated: {
        type: 'array',
        description: 'Scans that are recorded under a time that is only guessed.',
        items: {
          type: 'object',
          properties: {
            sequence: ref('Sequence'),
            id: ref('TallyId'),
            reader: { type: 'string' },
            day: ref('Day'),
            at: ref('Timestamp'),
            earliest: ref('Timestamp'),
            latest: ref('Timestamp'),
          },
          required: ['sequence', 'id', 'reader', 'day', 'at', 'earliest', 'latest'],
        },
      },
    },
    required: ['waiting', 'estimated'],
  },
  Backlog: {
    type: 'object',
    properties: {
      waiting: { type: 'integer', minimum: 0, description: 'Scans in memory that could not be written yet.' },
      limit: { type: 'integer', minimum: 0, description: 'Most that may wait.' },
      refused: {
        type: 'integer',
        minimum: 0,
        description: 'How many found no place since the backlog was last empty, and are lost.',
      },
    },
    required: ['waiting', 'limit', 'refused'],
  },
};
