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
        description: 'Who was there, in the order of the first scan.',
      },
      entries: {
        type: 'array',
        items: ref('Entry'),
        description:
          'Present with `expand=entries`: in the order of `ids`, then those of which no scan counts.',
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
          'No scan of it counts: all are void, or wait for approval. It is not among `ids`; its fields are what would be there.',
      },
      corrections: {
        type: 'array',
        items: ref('Correction'),
        minItems: 1,
        description: 'What was corrected, whatever became of it, ascending by number. Absent if nothing was.',
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
          'Who is here on the `day` of `now`: in the order of the first scan, then those of which no scan counts.',
      },
      waiting: {
        type: 'array',
        items: ref('WaitingScan'),
        description:
          'Scans whose day is not known yet, in the order of taking. None for who sees no more than today.',
      },
    },
    required: ['now', 'entries', 'waiting'],
  },
  Days: { type: 'array', items: ref('Day'), uniqueItems: true, description: 'Ascending.' },
};
