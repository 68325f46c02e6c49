import { PUSH_MAX_READINGS } from '@tallybook/domain';
import type { Schema } from '../schema.js';

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
      {
        type: 'object',
        properties: { run, readings: { $ref: '#/components/schemas/PushedReadingList' } },
        required: ['readings'],
        additionalProperties: false,
      },
      { $ref: '#/components/schemas/PushedReadingList' },
    ],
  },
  PushedReadingList: {
    type: 'array',
    maxItems: PUSH_MAX_READINGS,
    items: { $ref: '#/components/schemas/PushedReading' },
  },
  PushResults: {
    type: 'object',
    properties: {
      acked: { type: 'integer', minimum: 0, description: 'Number of readings that the device may delete.' },
      results: {
        type: 'array',
        description: 'Outcome of each reading, in their order.',
        items: {
          type: 'object',
          properties: {
            n: { oneOf: [n, { type: 'null' }] },
            outcome: {
              enum: outcomes,
              description:
                '`provisional`: on the disk until the clock is right. `waiting`: in memory until the store can write. `repeated`: the same tap as an earlier one. `refused`: the reading can never be accepted; `code` and `detail` give the reason. `not-kept`: send the reading again.',
            },
            code: { type: 'string' },
            detail: { type: 'string' },
          },
          required: ['n', 'outcome'],
        },
      },
    },
    required: ['acked', 'results'],
    examples: [{ acked: 1, results: [{ n: 17, outcome: 'counted' }] }],
  },
};
