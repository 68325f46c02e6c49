import { ref, type Schema } from './schema.js';

/** Problem details of refused requests. */
export const problemSchemas: Readonly<Record<string, Schema>> = {
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details.',
    properties: {
      type: { const: 'about:blank' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string', description: 'Stable; absent if the request was wrong as HTTP.' },
      roles: {
        type: 'array',
        items: { type: 'string' },
        description: 'Roles that may do it. Present with `NOT_ALLOWED` if one of these would do.',
      },
      refused: {
        type: 'array',
        items: ref('RefusedLine'),
        description: 'Lines that are at fault. Present with `INVALID_NAME_LIST` only.',
      },
      acked: { type: 'integer', description: 'As in PushResults. Present if readings were not kept.' },
      results: { type: 'array', items: { type: 'object' }, description: 'As in PushResults.' },
      expected: {
        type: 'integer',
        description: 'The last cursor that the centre has. Present with `SYNC_GAP` only.',
      },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
};
