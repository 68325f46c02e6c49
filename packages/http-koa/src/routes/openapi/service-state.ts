import { array, boolean, object, orNull, ref, string, type Schema } from './schema.js';
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

const detail: Schema = string('For people: what is wrong, and what to do.');

/** Values of `GET /api/health` and the paths below it. */
export const healthSchemas: Readonly<Record<string, Schema>> = {
  Health: object(
    {
      status: { ...statuses, description: 'The worst status of all parts.' },
      isReady: boolean('Whether the service is open, and the store can read and write.'),
      parts: array(
        object(
          {
            part: string(
              'Name of the part, such as `store`, `disk`, `readers` or `clock`. There may be others.',
            ),
            status: statuses,
            detail,
            items: array(
              object({ name: { type: 'string' }, status: statuses, detail }, { optional: ['detail'] }),
              'The members of the part, such as each reader.',
            ),
          },
          { optional: ['detail', 'items'] },
        ),
      ),
    },
    {
      description:
        'State of the service. Without the right `see-service`, parts have no `detail` and no `items`.',
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
  ),
  Live: object({ isLive: { const: true } }),
  Ready: object({ isReady: { const: true } }),
};

export const statusSchemas: Readonly<Record<string, Schema>> = {
  Status: object(
    {
      version: string('Version of the program.'),
      startedAt: ref('Timestamp', 'Time of the start, by the present clock of the service.'),
      storage: orNull('Storage', 'null for a store in memory.'),
      publishers: array(ref('Publisher'), 'In the order of the configuration.'),
      upstream: orNull('Upstream', 'Progress of sending the record to a centre; null without a centre.'),
    },
    'State of the program.',
  ),
  Storage: object(
    {
      freeBytes: { type: ['integer', 'null'], minimum: 0, description: 'Free space for the service.' },
      usedBytes: { type: ['integer', 'null'], minimum: 0, description: 'Size of the files of the store.' },
    },
    'Space in bytes; null if the file system does not report it.',
  ),
  Publisher: object(
    {
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
      isStopped: boolean(
        'Whether it sends nothing any more, because the receiver gives an answer that another attempt will not change. No change is skipped.',
      ),
      lastFault: orNull('Fault'),
    },
    'State of a publisher.',
  ),
  SendAgain: object({ name: string('Name of the publisher.') }),
  Fault: object(
    {
      code: string('Stable.'),
      message: string('For people: what happened, and what to do.'),
      at: ref('Timestamp'),
    },
    'The latest fault since the start.',
  ),
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
