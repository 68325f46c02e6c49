import { ref, type Schema } from '../schema.js';

export const statusSchemas: Readonly<Record<string, Schema>> = {
  Status: {
    type: 'object',
    description: 'How the program itself is doing.',
    properties: {
      version: { type: 'string', description: 'Of the program.' },
      startedAt: { ...ref('Timestamp'), description: 'When the service was started, by its present clock.' },
      storage: {
        oneOf: [ref('Storage'), { type: 'null' }],
        description: 'null for a store in memory.',
      },
      publishers: {
        type: 'array',
        items: ref('Publisher'),
        description: 'In the order of the configuration.',
      },
      upstream: {
        oneOf: [ref('Upstream'), { type: 'null' }],
        description: 'Progress of sending the record to a centre; null without a centre.',
      },
    },
    required: ['version', 'startedAt', 'storage', 'publishers', 'upstream'],
  },
  Storage: {
    type: 'object',
    description: 'In bytes; null where the file system does not tell.',
    properties: {
      freeBytes: { type: ['integer', 'null'], minimum: 0, description: 'What may still be written.' },
      usedBytes: { type: ['integer', 'null'], minimum: 0, description: 'What the files of the store take.' },
    },
    required: ['freeBytes', 'usedBytes'],
  },
  Publisher: {
    type: 'object',
    description: 'How a publisher is doing.',
    properties: {
      name: { type: 'string' },
      connection: {
        enum: ['connected', 'waiting'],
        description:
          '`waiting`: its receiver, such as a broker, is not there or refuses the messages, and is tried again and again.',
      },
      waiting: {
        type: 'integer',
        minimum: 0,
        description: 'How many changes wait to be published, at most.',
      },
      lastFault: { oneOf: [ref('Fault'), { type: 'null' }] },
    },
    required: ['name', 'connection', 'waiting', 'lastFault'],
  },
  Fault: {
    type: 'object',
    description: 'The latest since the start.',
    properties: {
      code: { type: 'string', description: 'Stable.' },
      message: { type: 'string', description: 'For people: what happened, and what to do.' },
      at: ref('Timestamp'),
    },
    required: ['code', 'message', 'at'],
  },
};
