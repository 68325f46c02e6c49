import { ref, type Schema } from '../schema.js';

export const statusSchemas: Readonly<Record<string, Schema>> = {
  Status: {
    type: 'object',
    description: 'State of the program.',
    properties: {
      version: { type: 'string', description: 'Version of the program.' },
      startedAt: {
        ...ref('Timestamp'),
        description: 'Time of the start, by the present clock of the service.',
      },
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
    description: 'Space in bytes; null if the file system does not report it.',
    properties: {
      freeBytes: { type: ['integer', 'null'], minimum: 0, description: 'Free space for the service.' },
      usedBytes: { type: ['integer', 'null'], minimum: 0, description: 'Size of the files of the store.' },
    },
    required: ['freeBytes', 'usedBytes'],
  },
  Publisher: {
    type: 'object',
    description: 'State of a publisher.',
    properties: {
      name: { type: 'string' },
      connection: {
        enum: ['connected', 'waiting'],
        description:
          '`waiting`: the receiver, such as a broker, cannot be reached or refuses the messages, and the service tries again and again.',
      },
      waiting: {
        type: 'integer',
        minimum: 0,
        description: 'Upper bound of the changes that wait to be published.',
      },
      setAside: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000,
        description: 'Number of changes that the receiver refused, and that are kept to be sent again.',
      },
      isStopped: {
        type: 'boolean',
        description:
          'Whether it sends nothing any more, because the receiver gives an answer that another attempt will not change. No change is skipped.',
      },
      lastFault: { oneOf: [ref('Fault'), { type: 'null' }] },
    },
    required: ['name', 'connection', 'waiting', 'setAside', 'isStopped', 'lastFault'],
  },
  SendAgain: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name of the publisher.' } },
    required: ['name'],
  },
  Fault: {
    type: 'object',
    description: 'The latest fault since the start.',
    properties: {
      code: { type: 'string', description: 'Stable.' },
      message: { type: 'string', description: 'For people: what happened, and what to do.' },
      at: ref('Timestamp'),
    },
    required: ['code', 'message', 'at'],
  },
};
