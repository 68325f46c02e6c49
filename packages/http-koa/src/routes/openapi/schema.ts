import { DAY_MAX, spellingNames } from '@tallybook/domain';

/** A JSON Schema for OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema of the document, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema of the document, or null. */
export function orNull(name: string): Schema {
  return { oneOf: [ref(name), { type: 'null' }] };
}

/** Basic values: the other values consist of them. */
export const valueSchemas: Readonly<Record<string, Schema>> = {
  TallyId: {
    type: 'string',
    pattern: '^(?:[0-9A-F]{2}){3,10}$',
    description:
      'The 3 to 10 bytes of a tag in upper-case hex. It is a text, never a number: leading zeros count.',
    examples: ['04A2B3C4D5'],
  },
  TypedId: {
    type: 'string',
    description:
      'A tag as people write it: a TallyId in upper or lower case, with or without ":", "-" or a space between bytes; or an id as the readers of the service write it.',
    examples: ['04:a2:b3:c4:d5'],
  },
  IdFormat: {
    enum: [...spellingNames],
    description:
      'Spelling of an id. Programs send `hex`. If it is absent, the readers of the service decide.',
  },
  TallyIds: { type: 'array', items: ref('TallyId'), uniqueItems: true, description: 'Ascending.' },
  Day: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: DAY_MAX,
    description: 'Days since 1970-01-01.',
    examples: [20411],
  },
  Timestamp: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Whole seconds since 1970-01-01T00:00:00Z.',
    examples: [1_763_510_400],
  },
};

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
