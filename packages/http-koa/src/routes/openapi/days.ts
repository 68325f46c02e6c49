import { array, object, ref, type Schema } from './schema.js';
import {
  betweenMoments,
  cacheable,
  failure,
  internalError,
  momentary,
  noRoom,
  ofOneDay,
  query,
  readable,
  type Paths,
} from './operation.js';

export const daySchemas: Readonly<Record<string, Schema>> = {
  AttendanceDay: object(
    {
      date: ref('Day'),
      ids: {
        type: 'array',
        items: ref('TallyId'),
        uniqueItems: true,
        description: 'The tags of the day, in the order of the first scan.',
      },
      entries: array(
        ref('Entry'),
        'Present with `expand=entries`. In the order of `ids`, then entries without a scan that counts.',
      ),
    },
    { optional: ['entries'] },
  ),
  Entry: object(
    {
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
    { optional: ['isVoided', 'corrections'] },
  ),
  Today: object({
    now: ref('Time'),
    entries: array(
      ref('Entry'),
      'Entries of the `day` of `now`, in the order of the first scan, then entries without a scan that counts.',
    ),
    waiting: array(
      ref('WaitingScan'),
      'Scans without a known day, in the order of the taps. Empty for clients that may see only today.',
    ),
  }),
  Days: { type: 'array', items: ref('Day'), uniqueItems: true, description: 'Ascending.' },
};

export const provisionalSchemas: Readonly<Record<string, Schema>> = {
  Sequence: {
    type: 'integer',
    minimum: 1,
    description: 'Number of a provisional scan, in the order of the taps.',
  },
  Estimate: object(
    { earliest: ref('Timestamp'), latest: ref('Timestamp') },
    'Bounds of an estimated time. Absent if the time is known.',
  ),
  WaitingScan: object({
    sequence: ref('Sequence'),
    id: ref('TallyId'),
    reader: { type: 'string' },
    shown: ref('Timestamp', 'The time that the untrusted clock showed.'),
    notBefore: ref(
      'Timestamp',
      'The earliest possible time: the latest scan recorded before, or the release of the program.',
    ),
  }),
  Provisional: object({
    waiting: array(ref('WaitingScan'), 'Scans without a known day and time, in the order of the taps.'),
    estimated: array(
      object({
        sequence: ref('Sequence'),
        id: ref('TallyId'),
        reader: { type: 'string' },
        day: ref('Day'),
        at: ref('Timestamp'),
        earliest: ref('Timestamp'),
        latest: ref('Timestamp'),
      }),
      'Scans that are filed under an estimated time.',
    ),
  }),
  Backlog: object({
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
  }),
};

const noSuchDay = failure('Neither timestamp nor day is given, or the day has no record.');

/** The record of days, and the scans that are not in it yet. */
export const dayPaths: Paths = {
  '/api/day': {
    ...readable({
      operationId: 'readDay',
      summary: 'Who was there on one day',
      parameters: [
        ...ofOneDay,
        query('expand', '`entries` adds the first scan, the last scan and the number of scans of each tag.', {
          enum: ['entries'],
        }),
      ],
      responses: {
        ...cacheable('The record of the day.', 'AttendanceDay'),
        400: failure('A parameter is invalid or given twice.'),
        404: noSuchDay,
        500: internalError,
      },
    }),
    delete: {
      operationId: 'removeDay',
      summary: 'Remove the record of one day for good, for example after taps with a wrong clock',
      parameters: ofOneDay,
      responses: {
        204: { description: 'The record is removed durably.' },
        400: failure('A parameter is invalid or given twice.'),
        404: noSuchDay,
        500: internalError,
      },
    },
  },
  '/api/today': readable({
    operationId: 'readToday',
    summary: 'The time, and who is here today',
    responses: { ...momentary('Today'), 500: internalError, 503: noRoom },
  }),
  '/api/days': readable({
    operationId: 'listDays',
    summary: 'The days with a record between two moments, both days included',
    parameters: betweenMoments,
    responses: {
      ...cacheable('The days; empty if the day of `from` is later than the day of `to`.', 'Days'),
      400: failure('A parameter is missing, invalid or given twice.'),
      500: internalError,
    },
  }),
  '/api/provisional': readable({
    operationId: 'listProvisional',
    summary: 'The scans taken while the clock was not trusted',
    responses: { ...momentary('Provisional'), 500: internalError, 503: noRoom },
  }),
  '/api/backlog': readable({
    operationId: 'readBacklog',
    summary: 'Number of scans that wait in memory because the store cannot write',
    responses: { ...momentary('Backlog'), 500: internalError },
  }),
};
