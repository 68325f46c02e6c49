import { DAY_MAX, spellingNames } from '@tallybook/domain';

/** A JSON Schema for OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema of the document, by its name. */
export function ref(name: string, description?: string): Schema {
  return { $ref: `#/components/schemas/${name}`, ...described(description) };
}

/** A schema, or the name of one, or null. */
export function orNull(schema: string | Schema, description?: string): Schema {
  const either = typeof schema === 'string' ? ref(schema) : schema;
  return { oneOf: [either, { type: 'null' }], ...described(description) };
}

export function string(description: string): Schema {
  return { type: 'string', description };
}

export function boolean(description: string): Schema {
  return { type: 'boolean', description };
}

export function array(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...described(description) };
}

/** An object that has all of these properties, except perhaps the optional ones. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  more: string | (Schema & { readonly optional?: readonly string[] }) = {},
): Schema {
  const { optional = [], ...others } = typeof more === 'string' ? { description: more } : more;
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, ...others };
}

function described(description: string | undefined): Schema {
  return description === undefined ? {} : { description };
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
  Problem: object(
    {
      type: { const: 'about:blank' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string', description: 'Stable. Absent if the request was malformed.' },
      roles: array(
        { type: 'string' },
        'Roles with the required right. Present with `NOT_ALLOWED`, if the right depends on the role.',
      ),
      refused: array(ref('RefusedLine'), 'The wrong lines. Present with `INVALID_NAME_LIST` only.'),
      acked: { type: 'integer', description: 'As in PushResults. Present if readings were not kept.' },
      results: array({ type: 'object' }, 'As in PushResults.'),
      expected: {
        type: 'integer',
        description: 'The last cursor that the centre has. Present only with `SYNC_GAP`.',
      },
    },
    {
      optional: ['code', 'roles', 'refused', 'acked', 'results', 'expected'],
      description: 'RFC 9457 problem details.',
    },
  ),
};
