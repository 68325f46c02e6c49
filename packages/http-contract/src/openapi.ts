import { eventSchemas } from './operations/events.js';
import { definition, isOptional, schemaOf, type Fields, type Schema } from './schema.js';
import { refusal, type Answer, type Answers, type Operation, type Operations } from './operation.js';

/** An OpenAPI 3.1 document, with the parts that this interface needs. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
  /** One of these is enough; the empty one is for a service without users. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: unknown;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** A method on a path, in the form of OpenAPI. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  /** The rights, one of which the request needs. */
  readonly 'x-action': readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The ways to sign in. */
const securitySchemes: Readonly<Record<string, object>> = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of `POST /api/tokens` or `tallybook token add`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tallybook',
    description: 'The cookie of `POST /api/session` over http.',
  },
  secureSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-tallybook',
    description: 'The cookie of `POST /api/session` over https.',
  },
};

const away =
  'The store cannot be reached at present (`Retry-After` says when to try again), or the disk refuses writes (`STORE_WRITE_FAILED`).';

/** Refusals that any request may get. */
const refusals: Answers = {
  400: refusal('The request is not valid, for example without `Host` or with two of them.'),
  401: refusal('The client has to sign in first, or the service has no user yet.'),
  403: refusal('The client has no right to this, or the request comes from a page of another site.'),
  421: refusal('`Host` is not a name of this service.'),
  429: refusal('Too many requests or event streams from one address. `Retry-After` says when to try again.'),
  500: refusal('The service has an internal error. The log has the reason.'),
  503: refusal(away),
};

/** The refusals that follow from what a request has: the statuses that the tables of the reference list too. */
export function refusalsOf({ params, query, body, invalid }: Operation): Answers {
  const hasInput = [params, query].some((fields) => Object.keys(fields ?? {}).length > 0);
  const reason =
    invalid ??
    (body === undefined
      ? 'A parameter is missing, invalid or given twice.'
      : 'The body is not valid, or a field is missing or invalid; the answer names the field and the reason.');
  return {
    ...((hasInput || body !== undefined) && { 400: refusal(reason) }),
    ...(body !== undefined && {
      413: refusal('The body is too large.'),
      415: refusal('The type of the body is not accepted, its charset is not UTF-8, or it is compressed.'),
    }),
  };
}

function answersOf(operation: Operation): Answers {
  const { 503: own } = operation.answers;
  const all: Answers = { ...refusals, ...refusalsOf(operation), ...alternatives(operation) };
  return own === undefined ? all : { ...all, 503: { ...own, description: `${own.description} Or: ${away}` } };
}

/** The answer with any of its forms. */
function alternatives({ answers, instead }: Operation): Answers {
  const { 200: ok } = answers;
  const schema = ok?.content?.['application/json']?.schema;
  if (ok === undefined || schema === undefined || instead === undefined) return answers;
  const anyOf = [schema, ...Object.values(instead)];
  return { ...answers, 200: { ...ok, content: { 'application/json': { schema: { anyOf } } } } };
}

/** The rights, one of which a request of this operation needs. */
export function requirementsOf({ action }: Operation): readonly string[] {
  return typeof action === 'string' ? [action] : Object.values(action);
}

function parametersOf(place: OpenApiParameter['in'], fields: Fields = {}): readonly OpenApiParameter[] {
  return Object.entries(fields).map(([name, field]) => {
    const { description, ...schema } = schemaOf(field);
    return { name, in: place, description, ...(!isOptional(field) && { required: true }), schema };
  });
}

/** An operation in the form of OpenAPI, by method; `GET` with `HEAD`, which answers with the same headers and no body. */
function methodsOf(method: string, operation: Operation): Record<string, OpenApiOperation> {
  const { id, summary, params, query, headers, body } = operation;
  const described: OpenApiOperation = {
    operationId: id,
    summary,
    'x-action': requirementsOf(operation),
    parameters: [
      ...parametersOf('path', params),
      ...parametersOf('query', query),
      ...parametersOf('header', headers),
    ],
    ...(body && { requestBody: { description: body.description, required: true, content: body.content } }),
    responses: answersOf(operation),
  };
  if (method !== 'GET') return { [method.toLowerCase()]: described };
  const responses = Object.fromEntries(
    Object.entries(described.responses).map(([status, answer]) => [status, { ...answer, content: {} }]),
  );
  const head = { ...described, operationId: `${id}Head`, summary: `${summary} (headers only)`, responses };
  return { get: described, head };
}

/** All named schemas below a value, by name. */
function collect(value: unknown, found: Record<string, Schema>): void {
  if (typeof value !== 'object' || value === null) return;
  const { [definition]: own } = value as Schema;
  if (own !== undefined && found[own.name] === undefined) {
    found[own.name] = own.schema;
    collect(own.schema, found);
  }
  for (const each of Object.values(value)) collect(each, found);
}

/** Describes operations as OpenAPI 3.1. */
export function describeOperations(
  operations: Operations,
  { version }: { readonly version: string },
): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [address, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = address.split(' ');
    paths[path] = { ...paths[path], ...methodsOf(method, operation) };
  }
  const schemas: Record<string, Schema> = {};
  // No operation refers to the data of events.
  collect([paths, eventSchemas], schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tallybook',
      version,
      description:
        'Attendance by RFID tag. A service without users is open on the loopback interface, or with `--insecure`. Otherwise clients sign in, or send a token. ' +
        'Other methods on these paths get 405, except OPTIONS. Other paths get 404.',
    },
    paths,
    components: { schemas, securitySchemes },
    security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
  };
}
