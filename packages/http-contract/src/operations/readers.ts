import { PUSH_MAX_READINGS } from '@tallybook/domain';
import {
  array,
  component,
  described,
  either,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  record,
  string,
  type TypeOf,
} from '../schema.js';
import { json, operation, refusal, type Body } from '../operation.js';
import { Timestamp } from '../values.js';

export const Fault = component(
  'Fault',
  {
    code: string('Stable.'),
    message: string('For people: what happened, and what to do.'),
    at: Timestamp,
  },
  'The latest fault since the start.',
);
export type ReportedFault = TypeOf<typeof Fault>;

const Reader = component(
  'Reader',
  {
    name: string(),
    kind: orNull(string(), 'Kind of the device, such as `serial`.'),
    connection: oneOf(
      ['connected', 'waiting'],
      '`waiting`: the device is missing, and the service tries to open it again and again.',
    ),
    since: described(Timestamp, 'Time of the last change of `connection`.'),
    faultySince: orNull(
      Timestamp,
      'Time of the first fault after the last reading or reconnection; null if there is none.',
    ),
    lastReading: orNull(Timestamp, 'Time of the last reading.'),
    faults: record(string(), integer({ minimum: 1 }), 'Number of faults, by code.'),
    lastFault: orNull(Fault),
  },
  {
    description: 'State of a reader since the start of the service.',
    examples: [
      {
        name: 'door',
        kind: 'serial',
        connection: 'waiting',
        since: 1_763_541_000,
        faultySince: 1_763_541_000,
        lastReading: 1_763_540_400,
        faults: { READER_DISCONNECTED: 1 },
        lastFault: {
          code: 'READER_DISCONNECTED',
          message: '/dev/ttyUSB0 was lost; plug the reader in again',
          at: 1_763_541_000,
        },
      },
    ],
  },
);
export type ReaderState = TypeOf<typeof Reader>;

const n = integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const id = either([string(), integer()], 'The tag, in the `format` of the URL of the reader.');

const ofReading = {
  id,
  n: optional(
    described(
      n,
      'Number that the device gives the reading. Within a run, numbers ascend from request to request; within a request they may have any order. A reading is `repeated` if its number is not above the largest one accepted in an earlier request, or if its number comes twice.',
    ),
  ),
  at: optional(
    integer(
      'Time of the reading by the clock of the device, in seconds or milliseconds since 1970. Ignored unless the URL of the reader has `time=device`.',
    ),
  ),
  ageMs: optional(
    integer({ maximum: 31_622_400_000, description: 'Age of the reading in milliseconds. Default: 0.' }),
  ),
};

const run = optional(
  either(
    [string({ maxLength: 64 }), integer()],
    'Name of this sequence of numbers. A device that has lost its last number takes another run. Each sender has its own runs. Default: `0`.',
  ),
);

const closed = { additionalProperties: false };

const PushedReading = named(
  'PushedReading',
  either([id, object(ofReading, closed)], {
    description: 'An id, or a reading.',
    examples: [{ id: '04A2B3C4D5', n: 17, ageMs: 1_200 }],
  }),
);

const PushedReadingList = named('PushedReadingList', array(PushedReading, { maxItems: PUSH_MAX_READINGS }));

const PushedReadings = named(
  'PushedReadings',
  either(
    [
      object({ ...ofReading, run }, closed),
      object({ run, readings: PushedReadingList }, closed),
      PushedReadingList,
    ],
    'One reading, an object with several, or a list of several. An empty list shows that the device is connected.',
  ),
);

const PushResult = object({
  n: orNull(n),
  outcome: oneOf(
    ['counted', 'already-counted', 'provisional', 'waiting', 'repeated', 'refused', 'not-kept'],
    '`provisional`: on the disk until the clock is right. `waiting`: in memory until the store can write. `repeated`: the same tap as an earlier one. `refused`: the reading can never be accepted; `code` and `detail` give the reason. `not-kept`: send the reading again.',
  ),
  code: optional(string()),
  detail: optional(string()),
});
export type PushResult = TypeOf<typeof PushResult>;

const PushResults = component(
  'PushResults',
  {
    acked: integer('Number of readings that the device may delete.'),
    results: array(PushResult, 'Outcome of each reading, in their order.'),
  },
  { examples: [{ acked: 1, results: [{ n: 17, outcome: 'counted' }] }] },
);
export type PushResults = TypeOf<typeof PushResults>;

/** Largest body with pushed readings: 256 KiB. */
export const PUSH_MAX_BYTES = 262_144;

const pushed: Body<TypeOf<typeof PushedReadings>> = {
  description: `In UTF-8, at most ${PUSH_MAX_BYTES} bytes. A form has the fields of one reading, and \`run\`. Text is one id.`,
  content: {
    'application/json': { schema: PushedReadings },
    'application/x-www-form-urlencoded': { schema: object({}) },
    'text/plain': { schema: string() },
  },
};

/** The readers, and the devices that send scans themselves. */
export const readerOperations = {
  'GET /api/readers': operation({
    id: 'listReaders',
    summary: 'State of each reader',
    action: 'see-today',
    answers: { 200: json(named('Readers', array(Reader, 'In the order of the configuration.'))) },
  }),
  'POST /api/readers/{name}/readings': operation({
    id: 'pushReadings',
    summary:
      'Send scans to a reader that is configured as http:NAME. The answer comes when the outcome of each is certain',
    action: 'push-readings',
    params: { name: string('The NAME of the reader.') },
    body: pushed,
    invalid: 'The body has none of these forms, or `run` is invalid; the answer gives the reason.',
    answers: {
      200: json(PushResults, 'The device may delete all readings: each is stored, or can never be accepted.'),
      403: refusal('The request comes from a page of another site, or the token is for another reader.'),
      404: refusal('There is no such reader.'),
      413: refusal('The body is too large, or has too many readings.'),
      429: refusal('Too many requests of this reader are waiting. `Retry-After` says when to try again.'),
      503: refusal(
        'Some readings could not be kept: send all of them again. Readings with a number are not recorded twice. `Retry-After` says when to try again.',
      ),
    },
  }),
};
