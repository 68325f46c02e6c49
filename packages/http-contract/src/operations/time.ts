import {
  boolean,
  described,
  either,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  string,
  type TypeOf,
} from '../schema.js';
import { empty, json, jsonBody, operation, refusal } from '../operation.js';
import { Day, Timestamp } from '../values.js';

const ofAnyTime = {
  time: Timestamp,
  day: described(Day, 'The current day, by the zone and the day start of the service.'),
  zone: string({ description: 'The IANA time zone of the days.', examples: ['Europe/Berlin'] }),
  dayStart: string({
    description: 'The time of day at which a day begins, in the zone.',
    examples: ['04:00'],
  }),
  latestScan: orNull(Timestamp, 'The latest recorded scan, without `suspectScan`.'),
  suspectScan: optional(
    described(Timestamp, 'A later scan that is too far ahead and probably wrong. Absent if there is none.'),
  ),
};

export const Time = named(
  'Time',
  either([
    object({
      ...ofAnyTime,
      isTrusted: oneOf([true]),
      basis: oneOf(['synchronised', 'set', 'assumed'], 'Why the time is trusted.'),
    }),
    object({
      ...ofAnyTime,
      isTrusted: oneOf([false], 'Scans are provisional.'),
      doubt: oneOf(['before-build', 'not-synchronised', 'before-last-scan'], 'Why the time is not trusted.'),
    }),
  ]),
);
export type ServiceTime = TypeOf<typeof Time>;

/** A larger time is in milliseconds: in seconds it would be after the year 5138. */
export const TIME_MAX_SECONDS = 100_000_000_000;

const number = integer({ maximum: TIME_MAX_SECONDS * 1000 });

const NewTime = named(
  'NewTime',
  either([
    object({
      time: either([number, string({ pattern: '^[0-9]+$' })], {
        description: `Seconds since 1970-01-01T00:00:00Z; milliseconds if the number is larger than ${TIME_MAX_SECONDS}.`,
        examples: [1_795_261_234, '1795261234000'],
      }),
      confirm: optional(
        boolean(
          'true: the time is right, although it is more than a day after both the latest scan and the release.',
        ),
      ),
    }),
    described(number, 'The number alone is enough if nothing has to be confirmed.'),
  ]),
);

/** The time of the service. */
export const timeOperations = {
  'GET /api/time': operation({
    id: 'readTime',
    summary: 'The time of the service. As JSON also whether the time is trusted',
    action: 'see-today',
    answers: {
      200: json(
        Time,
        'Seconds since 1970-01-01T00:00:00Z as digits, or JSON if Accept prefers that.',
        string({ pattern: '^[0-9]+$' }),
      ),
    },
  }),
  'POST /api/time': operation({
    id: 'setTime',
    summary:
      'Set the time of the service, where no time server does. It holds until the service ends, and does not change the clock of the system',
    action: 'set-time',
    body: jsonBody(NewTime),
    invalid:
      'The body is not JSON, or the time is missing, invalid, or earlier than the release of the program.',
    answers: {
      200: empty('The time is set. Empty body.'),
      409: refusal(
        'The clock of the system follows a time server, or the time has to be confirmed. Nothing was set.',
      ),
    },
  }),
};
