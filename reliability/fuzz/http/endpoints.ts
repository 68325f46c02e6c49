/** The part of a JSON schema that is used to make values. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** One method on one path, from the description of the service. */
export interface Endpoint {
  readonly method: string;
  /** With the parameters of the path in braces. */
  readonly path: string;
  /** Names of the parameters of the query. */
  readonly query: readonly string[];
  /** The accepted media types, each with the schema of its body; empty if no body is accepted. */
  readonly bodies: Readonly<Record<string, Schema>>;
  /** Whether the answer is a stream, after which the connection closes. */
  readonly isStream: boolean;
  /** Whether, by the description, it may answer 503 to too many simultaneous requests. */
  readonly isBusyAtTimes: boolean;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<Record<string, Response>>;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** All endpoints from the description of the service, so that new ones are fuzzed without a change here. */
export function listEndpoints({ paths }: OpenApi): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) => {
    const isStream = hasStream(operations['get']);
    return Object.entries(operations).map(([method, { parameters, requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      query: (parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
      bodies: Object.fromEntries(
        Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}]),
      ),
      isStream,
      isBusyAtTimes: Object.hasOwn(responses ?? {}, '503'),
    }));
  });
}

/**
 * Whether the answer is sent piece by piece and ends with its connection: true for files, and for all types except
 * JSON and a line of text.
 */
function hasStream(operation: Operation | undefined): boolean {
  const { headers = {}, content = {} } = operation?.responses?.['200'] ?? {};
  if (Object.hasOwn(headers, 'Content-Disposition')) return true;
  const types = Object.keys(content);
  return types.length > 0 && !types.includes('application/json') && !types.includes('text/plain');
}

/** Largest depth of a value: schemas may refer to themselves. */
const DEEPEST = 8;

/** Makes a value that roughly fits a schema: near enough to pass the first checks. */
export function sample(schema: Schema, { components }: OpenApi, depth = 0): unknown {
  if (depth > DEEPEST) return null;
  const down = (other: Schema | undefined): unknown =>
    sample(other ?? {}, { paths: {}, components: components ?? {} }, depth + 1);
  const { $ref, examples, oneOf, anyOf, allOf, properties, items } = schema;
  if ($ref !== undefined) return down(components?.schemas?.[$ref.replace(/^.*\//, '')]);
  if ('const' in schema) return schema.const;
  if (examples?.[0] !== undefined) return examples[0];
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (oneOf ?? anyOf) return down((oneOf ?? anyOf)?.[0]);
  if (allOf) return Object.assign({}, ...allOf.map(down)) as unknown;
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, down(each)]));
  }
  if (items) return [down(items)];
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  return samples[type ?? 'string'] ?? null;
}

const samples: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
  array: [],
};
