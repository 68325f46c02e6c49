import { TIME_MAX_SECONDS } from '../service/routes-time.js';
import { boolean, object, orNull, ref, type Schema } from './schema.js';
import {
  failure,
  internalError,
  jsonRequest,
  notStored,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';

export const timeSchemas: Readonly<Record<string, Schema>> = {
  Time: object(
    {
      time: ref('Timestamp'),
      day: ref('Day', 'The current day, by the zone and the day start of the service.'),
      zone: { type: 'string', description: 'The IANA time zone of the days.', examples: ['Europe/Berlin'] },
      dayStart: {
        type: 'string',
        description: 'The time of day at which a day begins, in the zone.',
        examples: ['04:00'],
      },
      isTrusted: boolean('Whether the clock is trusted. If not, scans are provisional.'),
      basis: { enum: ['synchronised', 'set', 'assumed'], description: 'Why the time is trusted.' },
      doubt: {
        enum: ['before-build', 'not-synchronised', 'before-last-scan'],
        description: 'Why the time is not trusted.',
      },
      latestScan: orNull('Timestamp', 'The latest recorded scan, without `suspectScan`.'),
      suspectScan: ref(
        'Timestamp',
        'A later scan that is too far ahead and probably wrong. Absent if there is none.',
      ),
    },
    {
      optional: ['basis', 'doubt', 'suspectScan'],
      oneOf: [
        { properties: { isTrusted: { const: true } }, required: ['basis'] },
        { properties: { isTrusted: { const: false } }, required: ['doubt'] },
      ],
    },
  ),
  NewTime: {
    type: ['object', 'integer'],
    description: 'The number alone is enough if nothing has to be confirmed.',
    minimum: 0,
    maximum: TIME_MAX_SECONDS * 1000,
    properties: {
      time: {
        type: ['integer', 'string'],
        minimum: 0,
        maximum: TIME_MAX_SECONDS * 1000,
        pattern: '^[0-9]+$',
        description: `Seconds since 1970-01-01T00:00:00Z; milliseconds if the number is larger than ${TIME_MAX_SECONDS}.`,
        examples: [1_795_261_234, '1795261234000'],
      },
      confirm: boolean(
        'true: the time is right, although it is more than a day after both the latest scan and the release.',
      ),
    },
    required: ['time'],
  },
};

export const timePaths: Paths = {
  '/api/time': {
    ...readable({
      operationId: 'readTime',
      summary: 'The time of the service. As JSON also whether the time is trusted',
      responses: {
        200: {
          description: 'Seconds since 1970-01-01T00:00:00Z as digits, or JSON if Accept prefers that.',
          headers: notStored,
          content: {
            'text/plain': { schema: { type: 'string', pattern: '^[0-9]+$' } },
            'application/json': { schema: ref('Time') },
          },
        },
        500: internalError,
      },
    }),
    post: {
      operationId: 'setTime',
      summary:
        'Set the time of the service, where no time server does. It holds until the service ends, and does not change the clock of the system',
      requestBody: jsonRequest('NewTime'),
      responses: {
        200: { description: 'The time is set. Empty body.' },
        400: failure(
          'The body is not JSON, or the time is missing, invalid, or earlier than the release of the program.',
        ),
        409: failure(
          'The clock of the system follows a time server, or the time has to be confirmed. Nothing was set.',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
};
