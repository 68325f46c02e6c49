import { ref, type Schema } from './schema.js';
import {
  cacheable,
  failure,
  internalError,
  jsonRequest,
  madeOf,
  momentary,
  noPlace,
  notStored,
  readable,
  refusedBodies,
  type Paths,
} from './operation.js';

const statuses: Schema = {
  enum: ['ok', 'warn', 'fail'],
  description: '`ok`: nothing to do; `warn`: somebody should check it; `fail`: it does not work.',
};

const detail: Schema = { type: 'string', description: 'For people: what is wrong, and what to do.' };

/** Values of `GET /api/health` and the paths below it. */
export const healthSchemas: Readonly<Record<string, Schema>> = {
  Health: {
    type: 'object',
    description:
      'State of the service. Without the right `see-service`, parts have no `detail` and no `items`.',
    properties: {
      status: { ...statuses, description: 'The worst status of all parts.' },
      isReady: {
        type: 'boolean',
        description: 'Whether the service is open, and the store can read and write.',
      },
      parts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            part: {
              type: 'string',
              description:
                'Name of the part, such as `store`, `disk`, `readers` or `clock`. There may be others.',
            },
            status: statuses,
            detail,
            items: {
              type: 'array',
              description: 'The members of the part, such as each reader.',
              items: {
                type: 'object',
                properties: { name: { type: 'string' }, status: statuses, detail },
                required: ['name', 'status'],
              },
            },
          },
          required: ['part', 'status'],
        },
      },
    },
    required: ['status', 'isReady', 'parts'],
    examples: [
      {
        status: 'warn',
        isReady: true,
        parts: [
          { part: 'store', status: 'ok' },
          {
            part: 'readers',
            status: 'warn',
            items: [
              { name: 'hall', status: 'ok' },
              { name: 'door', status: 'warn', detail: 'not connected: /dev/ttyUSB0 is missing' },
            ],
          },
        ],
      },
    ],
  },
  Live: { type: 'object', properties: { isLive: { const: true } }, required: ['isLive'] },
  Ready: { type: 'object', properties: { isReady: { const: true } }, required: ['isReady'] },
};

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

/** Health of the service, for people, supervisors and Prometheus. */
export const healthPaths: Paths = {
  '/api/health': readable({
    operationId: 'readHealth',
    summary:
      'Health of the service and of each part. Everybody may read it; `detail` and `items` need the right `see-service`',
    responses: {
      200: { ...madeOf('Health'), description: 'The present state, good or bad: look at `status`.' },
      500: internalError,
    },
  }),
  '/api/health/live': readable({
    operationId: 'isLive',
    summary: 'Whether the process answers',
    responses: { 200: { ...madeOf('Live'), description: 'The process answers.' }, 500: internalError },
  }),
  '/api/health/ready': readable({
    operationId: 'isReady',
    summary: 'Whether the service can work: it is open, and the store can read and write',
    responses: {
      200: { ...madeOf('Ready'), description: 'The service can work.' },
      500: internalError,
      503: failure('The service cannot work; `/api/health` gives the reason.'),
    },
  }),
  '/api/metrics': readable({
    operationId: 'readMetrics',
    summary: 'Measurements for Prometheus. Counters of events begin at the first request',
    responses: {
      200: {
        description: 'The text format of Prometheus, version 0.0.4.',
        headers: notStored,
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      500: internalError,
    },
  }),
};

/** Status of the service, and all its data. */
export const statusPaths: Paths = {
  '/api/status': readable({
    operationId: 'readStatus',
    summary: 'State of the program: version, time of the start, storage and publishers',
    responses: { ...momentary('Status'), 500: internalError },
  }),
  '/api/publishers/send-again': {
    post: {
      operationId: 'sendAgain',
      summary: 'A publisher sends its set-aside changes again, and goes on if it has stopped',
      requestBody: jsonRequest('SendAgain'),
      responses: {
        202: { description: 'It begins. `GET /api/status` shows how far it gets. Empty body.' },
        400: failure('The body is not JSON, or the name is missing.'),
        404: failure('There is no such publisher.'),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/export': readable({
    operationId: 'exportAll',
    summary: 'A backup of all data, as it was when the answer began',
    responses: {
      200: {
        description:
          'JSON Lines in the format of `tallybook import`. Complete only if the last line has the kind `end`.',
        headers: {
          ...notStored,
          'Content-Disposition': {
            schema: { type: 'string' },
            description: 'A file name, with the date if the clock is trusted.',
          },
        },
        content: { 'application/jsonl': { schema: { type: 'string' } } },
      },
      500: internalError,
      503: noPlace,
    },
  }),
  '/api/openapi.json': readable({
    operationId: 'readOpenApi',
    summary: 'This document',
    responses: cacheable('An OpenAPI 3.1 document.'),
  }),
};
