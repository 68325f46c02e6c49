import { PUSH_MAX_READINGS } from '@tallybook/domain';
import type { Schema } from '../schema.js';

const n: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const outcomes = ['counted', 'already-counted', 'provisional', 'waiting', 'repeated', 'refused', 'not-kept'];

const reading: Readonly<Record<string, Schema>> = {
  id: {
    type: ['string', 'integer'],
    description: 'The tag, as the reader spells it: `format` of its URL.',
  },
  n: {
    ...n,
    description:
      'Number that the device gave it. Numbers ascend within a run from request to request; within a request the order is free. A number not above the largest one accepted in an earlier request is `repeated`, and so is one that comes twice.',
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
    description: 'How many milliseconds ago the tag was read. Default: 0.',
  },
};

const run: Schema = {
  type: ['string', 'integer'],
  maxLength: 64,
  description:
    'The run of the numbers: a device that does not know how far it was begins another one. Each sender has runs of its own. Default: `0`.',
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
    description: 'One reading, several, or a bare list of several. None says that the device is there.',
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
      acked: { type: 'integer', minimum: 0, description: 'How many of them the device may forget.' },
      results: {
        type: 'array',
        description: 'Outcome of each, in their order.',
        items: {
          type: 'object',
          properties: {
            n: { oneOf: [n, { type: 'null' }] },
            outcome: {
              enum: outcomes,
              description:
                '`provisional`: on the disk until the clock is right. `waiting`: in memory until the store can write. `repeated`: the same tap as one before. `refused`: it can never be accepted, as `code` and `detail` say. `not-kept`: send it again.',
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
