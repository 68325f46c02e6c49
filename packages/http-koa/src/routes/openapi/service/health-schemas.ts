import type { Schema } from '../schema.js';

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
