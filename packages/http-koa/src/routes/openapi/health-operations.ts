import { ref, type Schema } from './schema.js';

const statuses: Schema = {
  enum: ['ok', 'warn', 'fail'],
  description: '`ok`: nothing to do; `warn`: somebody should look; `fail`: it does not do what it is for.',
};

const detail: Schema = { type: 'string', description: 'For people: what is wrong, and what to do.' };

/** Values of `GET /api/health` and what is below it. */
export const healthSchemas: Readonly<Record<string, Schema>> = {
  Health: {
    type: 'object',
    description:
      'How the service is. Without the right to see the service, parts have no `detail` and no `items`.',
    properties: {
      status: { ...statuses, description: 'The worst of all parts.' },
      isReady: { type: 'boolean', description: 'Whether it is open and the store can read and write.' },
      parts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            part: {
              type: 'string',
              description: 'Such as `store`, `disk`, `readers` or `clock`. There may be others.',
            },
            status: statuses,
            detail,
            items: {
              type: 'array',
              description: 'Each thing that was looked at, such as each reader.',
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

const health: Schema = ref('Health');
const live: Schema = ref('Live');
const ready: Schema = ref('Ready');

interface HealthOperation {
  readonly operationId: string;
  readonly summary: string;
  /** When it is answered with 503. */
  readonly unable?: string;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
      }
    >
  >;
}

/** What is read of the health of the service, by path. */
export const healthOperations: Readonly<Record<string, HealthOperation>> = {
  '/api/health': {
    operationId: 'readHealth',
    summary: 'How the service is, part by part; everybody may ask, and sees reasons only with the right to',
    responses: {
      200: {
        description: 'As it is at this moment, whatever it is: look at `status`.',
        content: { 'application/json': { schema: health } },
      },
    },
  },
  '/api/health/live': {
    operationId: 'isLive',
    summary: 'Whether the process answers',
    responses: { 200: { description: 'It does.', content: { 'application/json': { schema: live } } } },
  },
  '/api/health/ready': {
    operationId: 'isReady',
    summary: 'Whether the service can do its work: it is open, and the store can read and write',
    unable: 'It cannot; `/api/health` says why.',
    responses: {
      200: { description: 'It can.', content: { 'application/json': { schema: ready } } },
    },
  },
  '/api/metrics': {
    operationId: 'readMetrics',
    summary: 'Measurements for Prometheus; those of events begin with the first time that somebody asks',
    responses: {
      200: {
        description: 'In its text format, version 0.0.4.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  },
};
