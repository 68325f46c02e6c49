import { ref, type Schema } from '../schema.js';

export const provisionalSchemas: Readonly<Record<string, Schema>> = {
  Sequence: {
    type: 'integer',
    minimum: 1,
    description: 'Number of a provisional scan, in the order of the taps.',
  },
  Estimate: {
    type: 'object',
    description: 'Bounds of an estimated time. Absent if the time is known.',
    properties: { earliest: ref('Timestamp'), latest: ref('Timestamp') },
    required: ['earliest', 'latest'],
  },
  WaitingScan: {
    type: 'object',
    properties: {
      sequence: ref('Sequence'),
      id: ref('TallyId'),
      reader: { type: 'string' },
      shown: { ...ref('Timestamp'), description: 'The time that the untrusted clock showed.' },
      notBefore: {
        ...ref('Timestamp'),
        description:
          'The earliest possible time: the latest scan recorded before, or the release of the program.',
      },
    },
    required: ['sequence', 'id', 'reader', 'shown', 'notBefore'],
  },
  Provisional: {
    type: 'object',
    properties: {
      waiting: {
        type: 'array',
        description: 'Scans without a known day and time, in the order of the taps.',
        items: ref('WaitingScan'),
      },
      estimated: {
        type: 'array',
        description: 'Scans that are filed under an estimated time.',
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
      waiting: {
        type: 'integer',
        minimum: 0,
        description: 'Number of scans in memory that are not written yet.',
      },
      limit: { type: 'integer', minimum: 0, description: 'Maximum number of scans that can wait.' },
      refused: {
        type: 'integer',
        minimum: 0,
        description: 'Number of scans lost because the backlog was full, since it was last empty.',
      },
    },
    required: ['waiting', 'limit', 'refused'],
  },
};
