import { PUSH_MAX_READINGS } from '@tallybook/domain';
import { FORM, PUSH_MAX_BYTES } from '../readers/routes-push.js';
import { array, object, orNull, ref, type Schema } from './schema.js';
import { failure, internalError, momentary, notStored, readable, type Paths } from './operation.js';

export const readerSchemas: Readonly<Record<string, Schema>> = {
  Readers: array(ref('Reader'), 'In the order of the configuration.'),
  Reader: object(
    {
      name: { type: 'string' },
      kind: { type: ['string', 'null'], description: 'Kind of the device, such as `serial`.' },
      connection: {
        enum: ['connected', 'waiting'],
        description: '`waiting`: the device is missing, and the service tries to open it again and again.',
      },
      since: ref('Timestamp', 'Time of the last change of `connection`.'),
      faultySince: orNull(
        'Timestamp',
        'Time of the first fault after the last reading or reconnection; null if there is none.',
      ),
      lastReading: orNull('Timestamp', 'Time of the last reading.'),
      faults: {
        type: 'object',
        description: 'Number of faults, by code.',
        additionalProperties: { type: 'integer', minimum: 1 },
      },
      lastFault: orNull('Fault'),
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
  ),
};

const n: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const outcomes = ['counted', 'already-counted', 'provisional', 'waiting', 'repeated', 'refused', 'not-kept'];

const reading: Readonly<Record<string, Schema>> = {
  id: {
    type: ['string', 'integer'],
    description: 'The tag, in the `format` of the URL of the reader.',
  },
  n: {
    ...n,
    description:
      'Number that the device gives the reading. Within a run, numbers ascend from request to request; within a request they may have any order. A reading is `repeated` if its number is not above the largest one accepted in an earlier request, or if its number comes twice.',
  },
  at: {
    type: 'integer',
    minimum: 0,
    description:
      'Time of the reading by the clock of the device, in seconds or milliseconds since 1970. Ignored unless the URL of the reader has `time=device`.',
  },
  ageMs: {
    type: 'integer',
    minimum: 0,
    maximum: 31_622_400_000,
    description: 'Age of the reading in milliseconds. Default: 0.',
  },
};

const run: Schema = {
  type: ['string', 'integer'],
  maxLength: 64,
  description:
    'Name of this sequence of numbers. A device that has lost its last number takes another run. Each sender has its own runs. Default: `0`.',
};

/** Values of `POST /api/readers/{name}/readings`. */
export const pushSchemas: Readonly<Record<string, Schema>> = {
  PushedReading: {
    description: 'An id, or a reading.',
    oneOf: [
      { type: ['string', 'integer'] },
      { type: 'object', properties: reading, required: ['id'], additionalProperties: false },
    ],
    examples: [{ id: '04A2B3C4D5', n: 17, ageMs: 1_200 }],
  },
  PushedReadings: {
    description:
      'One reading, an object with several, or a list of several. An empty list shows that the device is connected.',
    anyOf: [
      {
        type: 'object',
        properties: { ...reading, run },
        required: ['id'],
        additionalProperties: false,
      },
      object(
        { run, readings: { $ref: '#/components/schemas/PushedReadingList' } },
        { optional: ['run'], additionalProperties: false },
      ),
      { $ref: '#/components/schemas/PushedReadingList' },
    ],
  },
  PushedReadingList: {
    type: 'array',
    maxItems: PUSH_MAX_READINGS,
    items: { $ref: '#/components/schemas/PushedReading' },
  },
  PushResults: object(
    {
      acked: { type: 'integer', minimum: 0, description: 'Number of readings that the device may delete.' },
      results: array(
        object(
          {
            n: { oneOf: [n, { type: 'null' }] },
            outcome: {
              enum: outcomes,
              description:
                '`provisional`: on the disk until the clock is right. `waiting`: in memory until the store can write. `repeated`: the same tap as an earlier one. `refused`: the reading can never be accepted; `code` and `detail` give the reason. `not-kept`: send the reading again.',
            },
            code: { type: 'string' },
            detail: { type: 'string' },
          },
          { optional: ['code', 'detail'] },
        ),
        'Outcome of each reading, in their order.',
      ),
    },
    { examples: [{ acked: 1, results: [{ n: 17, outcome: 'counted' }] }] },
  ),
};

export const readerPaths: Paths = {
  '/api/readers': readable({
    operationId: 'listReaders',
    summary: 'State of each reader',
    responses: { ...momentary('Readers'), 500: internalError },
  }),
};

/** `/api/readers/{name}/readings`. */
export const pushPaths: Paths = {
  '/api/readers/{name}/readings': {
    post: {
      operationId: 'pushReadings',
      summary:
        'Send scans to a reader that is configured as http:NAME. The answer comes when the outcome of each is certain',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'The NAME of the reader.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        description: `In UTF-8, at most ${PUSH_MAX_BYTES} bytes. A form has the fields of one reading, and \`run\`. Text is one id.`,
        required: true,
        content: {
          'application/json': { schema: ref('PushedReadings') },
          [FORM]: { schema: { type: 'object' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
      responses: {
        200: {
          description: 'The device may delete all readings: each is stored, or can never be accepted.',
          headers: notStored,
          content: { 'application/json': { schema: ref('PushResults') } },
        },
        400: failure('The body has none of these forms, or `run` is invalid; the answer gives the reason.'),
        403: failure('The request comes from a page of another site, or the token is for another reader.'),
        404: failure('There is no such reader.'),
        413: failure('The body is too large, or has too many readings.'),
        415: failure('The type of the body is not supported, or the body is compressed.'),
        429: failure('Too many requests of this reader are waiting. `Retry-After` says when to try again.'),
        500: internalError,
        503: failure(
          'Some readings could not be kept: send all of them again. Readings with a number are not recorded twice. `Retry-After` says when to try again.',
        ),
      },
    },
  },
};
