import { ref, type Schema } from '../schema.js';

export const daySchemas: Readonly<Record<string, Schema>> = {
  AttendanceDay: {
    type: 'object',
    properties: {
      date: ref('Day'),
      ids: {
        type: 'array',
        items: ref('TallyId'),
        uniqueItems: true,
        description: 'The tags of the day, in the order of the first scan.',
      },
      entries: {
        type: 'array',
        items: ref('Entry'),
        description:
          'Present with `expand=entries`. In the order of `ids`, then entries without a scan that counts.',
      },
    },
    required: ['date', 'ids'],
  },
  Entry: {
    type: 'object',
    properties: {
      id: ref('TallyId'),
      first: ref('Timestamp'),
      last: ref('Timestamp'),
      count: { type: 'integer', minimum: 1, description: 'Number of scans.' },
      isVoided: {
        const: true,
        description:
          'No scan of the entry counts: all are void, or wait for approval. The tag is not in `ids`. The other fields have the values before the corrections.',
      },
      corrections: {
        type: 'array',
        items: ref('Correction'),
        minItems: 1,
        description: 'Corrections in any state, ascending by number. Absent if there are none.',
      },
    },
    required: ['id', 'first', 'last', 'count'],
  },
  Today: {
    type: 'object',
    properties: {
      now: ref('Time'),
      entries: {
        type: 'array',
        items: ref('Entry'),
        description:
          'Entries of the `day` of `now`, in the order of the first scan, then entries without a scan that counts.',
      },
      waiting: {
        type: 'array',
        items: ref('WaitingScan'),
        description:
          'Scans without a known day, in the order of the taps. Empty for clients that may see only today.',
      },
    },
    required: ['now', 'entries', 'waiting'],
  },
  Days: { type: 'array', items: ref('Day'), uniqueItems: true, description: 'Ascending.' },
};
