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
      code: { type: 'string', description: 'Stable. Absent if the request was malformed.' },
      roles: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Roles with the required right. Present with `NOT_ALLOWED`, if the right depends on the role.',
      },
      refused: {
        type: 'array',
        items: ref('RefusedLine'),
        description: 'The wrong lines. Present with `INVALID_NAME_LIST` only.',
      },
      acked: { type: 'integer', description: 'As in PushResults. Present if readings were not kept.' },
      results: { type: 'array', items: { type: 'object' }, description: 'As in PushResults.' },
      expected: {
        type: 'integer',
        description: 'The last cursor that the centre has. Present only with `SYNC_GAP`.',
      },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
};
