import { PUSH_MAX_READINGS } from '@tallybook/domain';
import type { Schema } from '../schema.js';

const n: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const outcomes = ['counted', 'already-counted', 'provisional', 'waiting', 'repeated', 'refused', 'not-kept'];

const reading: Readonly<Record<string, Schema>> = {
  id: {
    type: ['string', 'integer'],
    description: 'The tag, in the spelling of the reader: `format` of its URL.',
  },
  n: {
    ...n,
    description:
      'Number that the device gave to the reading. Within a run, numbers ascend from request to request; within a request, their order is free. A number is `repeated` if it is not above the largest accepted number of an earlier request, or if it comes twice.',
  },
  at: {
    type: 'integer',
    minimum: 0,
    description:
      'When the tag was read, by the clock of the device: seconds since 1970, or milliseconds. Ignored unless the URL of the reader has `time=device`.',
  },
  ageMs: {
    type: 'integer',
    minimum: 0,
    maximum: 31_622_400_000,
    description: 'Time since the tag was read, in milliseconds. Default: 0.',
  },
};

const run: Schema = {
  type: ['string', 'integer'],
  maxLength: 64,
  description:
    'The run of the numbers. A device that has lost its last number begins another run. Each sender has its own runs. Default: `0`.',
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
      'One reading, several in `readings`, or a bare list. An empty list only shows that the device is there.',
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
      acked: { type: 'integer', minimum: 0, description: 'Number of readings that the device may forget.' },
      results: {
        type: 'array',
        description: 'Outcome of each reading, in the order of the readings.',
        items: {
          type: 'object',
          properties: {
            n: { oneOf: [n, { type: 'null' }] },
            outcome: {
              enum: outcomes,
              description:
                '`provisional`: on the disk until the clock is right. `waiting`: in memory until the store can write. `repeated`: the same tap as an earlier one. `refused`: can never be accepted; `code` and `detail` say why. `not-kept`: send it again.',
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
