import { orNull, ref, type Schema } from './schema.js';
import { internalError, readable, type Paths } from './operation.js';

const count: Schema = { type: 'integer', minimum: 0 };

/** The data of the events of the stream. */
export const eventSchemas: Readonly<Record<string, Schema>> = {
  Attendance: {
    type: 'object',
    description: 'The data of an `attendance` event.',
    properties: {
      id: ref('TallyId'),
      day: { ...orNull('Day'), description: 'null: the scan is provisional.' },
      at: { ...orNull('Timestamp'), description: 'null: the scan is provisional.' },
      outcome: { enum: ['counted', 'already-counted', 'provisional'] },
      name: orNull('Name'),
      reader: { type: ['string', 'null'], description: 'null: the reader is unknown.' },
      sequence: { ...ref('Sequence'), description: 'Present if the scan is provisional.' },
      filed: {
        type: 'object',
        description: 'Present if the scan was provisional before.',
        properties: { sequence: ref('Sequence'), estimate: ref('Estimate') },
        required: ['sequence'],
      },
    },
    required: ['id', 'day', 'at', 'outcome', 'name', 'reader'],
  },
  Failed: {
    type: 'object',
    description: 'The data of a `failed` event.',
    properties: {
      id: ref('TallyId'),
      reader: { type: 'string' },
      isKept: {
        type: 'boolean',
        description:
          'Whether the scan is kept in memory, to be written later. Then its `attendance` follows.',
      },
    },
    required: ['id', 'reader', 'isKept'],
  },
  NameCounts: {
    type: 'object',
    description: 'The data of a `names` event: the numbers of names that were added, changed and removed.',
    properties: { added: count, changed: count, removed: count },
    required: ['added', 'changed', 'removed'],
  },
  DayChange: {
    type: 'object',
    description: 'The data of a `day` event: a change of the record of a day that is not a scan.',
    properties: {
      day: ref('Day'),
      change: {
        enum: ['removed', 'merged', 'corrected'],
        description:
          'The record was removed, entries of a backup were merged into it, or scans were added or voided.',
      },
    },
    required: ['day', 'change'],
  },
  Reset: {
    type: 'object',
    description: 'The data of a `reset` event. Earlier changes may be missing, so read the record again.',
    properties: {
      reason: {
        enum: ['unknown', 'too-old', 'ahead', 'repaired', 'erased'],
        description:
          'The Last-Event-ID is of another store (`unknown`), too old, or ahead of the store; a damaged store was repaired; or a person was erased from all days.',
      },
    },
    required: ['reason'],
  },
};

export const eventPaths: Paths = {
  '/api/idevent': readable({
    operationId: 'streamEvents',
    summary:
      'Every tap, live: `msg` with the bare TallyId at once, then `attendance` when the scan is recorded, or `failed`. Also `names` when names change, `day` when a day is removed, merged or corrected, and `reset` when changes may be missing',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description:
          'Id of the last event, sent by a client that reconnects. The client gets every change after it, or a `reset` if the service does not have them all.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description:
          'Server-sent events with data in JSON: Attendance for `attendance`, Failed for `failed`, NameCounts for `names`, DayChange for `day`, and Reset for `reset`. The data of `msg` is a bare TallyId. `msg` and `failed` have no id.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};
