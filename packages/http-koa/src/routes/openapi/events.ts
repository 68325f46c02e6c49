import { boolean, object, orNull, ref, type Schema } from './schema.js';
import { internalError, readable, type Paths } from './operation.js';

const count: Schema = { type: 'integer', minimum: 0 };

/** The data of the events of the stream. */
export const eventSchemas: Readonly<Record<string, Schema>> = {
  Attendance: object(
    {
      id: ref('TallyId'),
      day: orNull('Day', 'null: the scan is provisional.'),
      at: orNull('Timestamp', 'null: the scan is provisional.'),
      outcome: { enum: ['counted', 'already-counted', 'provisional'] },
      name: orNull('Name'),
      reader: { type: ['string', 'null'], description: 'null: the reader is unknown.' },
      sequence: ref('Sequence', 'Present if the scan is provisional.'),
      filed: object(
        { sequence: ref('Sequence'), estimate: ref('Estimate') },
        { optional: ['estimate'], description: 'Present if the scan was provisional before.' },
      ),
    },
    { optional: ['sequence', 'filed'], description: 'The data of an `attendance` event.' },
  ),
  Failed: object(
    {
      id: ref('TallyId'),
      reader: { type: 'string' },
      isKept: boolean(
        'Whether the scan is kept in memory, to be written later. Then its `attendance` follows.',
      ),
    },
    'The data of a `failed` event.',
  ),
  NameCounts: object(
    { added: count, changed: count, removed: count },
    'The data of a `names` event: the numbers of names that were added, changed and removed.',
  ),
  DayChange: object(
    {
      day: ref('Day'),
      change: {
        enum: ['removed', 'merged', 'corrected'],
        description:
          'The record was removed, entries of a backup were merged into it, or scans were added or voided.',
      },
    },
    'The data of a `day` event: a change of the record of a day that is not a scan.',
  ),
  Reset: object(
    {
      reason: {
        enum: ['unknown', 'too-old', 'ahead', 'repaired', 'erased'],
        description:
          'The Last-Event-ID is of another store (`unknown`), too old, or ahead of the store; a damaged store was repaired; or a person was erased from all days.',
      },
    },
    'The data of a `reset` event. Earlier changes may be missing, so read the record again.',
  ),
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
