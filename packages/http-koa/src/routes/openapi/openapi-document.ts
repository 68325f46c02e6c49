import { operations } from '@tallybook/http-contract';
import { describeOperations } from '@tallybook/http-contract/openapi';
import { VERSION } from '../../version.js';
import { accessSchemas } from './access-schemas.js';
import { passkeyPaths, passkeySchemas } from './passkeys.js';
import { eventPaths, eventSchemas } from './events.js';
import { nameSchemas } from './name-schemas.js';
import { personalPaths, personalSchemas } from './personal.js';
import { rangePaths, rangeSchemas } from './ranges.js';
import { pushPaths, pushSchemas, readerPaths, readerSchemas } from './readers.js';
import { auditPaths, auditSchemas } from './audit.js';
import { healthPaths, healthSchemas, statusPaths, statusSchemas } from './service-state.js';
import { syncSchemas } from './sync-schemas.js';
import { problemSchemas, valueSchemas, type Schema } from './schema.js';
import { accessPaths, securitySchemes } from './access-operations.js';
import { namePaths } from './name-operations.js';
import { syncPaths } from './sync-operations.js';
import { failure, type Operation, type Paths } from './operation.js';

/** All values that the interface sends or accepts, by name. */
const schemas: Readonly<Record<string, Schema>> = {
  ...valueSchemas,
  ...accessSchemas,
  ...auditSchemas,
  ...eventSchemas,
  ...healthSchemas,
  ...nameSchemas,
  ...passkeySchemas,
  ...personalSchemas,
  ...pushSchemas,
  ...rangeSchemas,
  ...readerSchemas,
  ...statusSchemas,
  ...syncSchemas,
  ...problemSchemas,
};

/** An OpenAPI 3.1 document, with the parts that this interface needs. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
  /** One of these is enough; the empty one is for a service without users. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

const contract = describeOperations(operations, { version: VERSION });

export const openApiDocument: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Tallybook',
    version: VERSION,
    description:
      'Attendance by RFID tag. A service without users is open on the loopback interface, or with `--insecure`. Otherwise clients sign in, or send a token. ' +
      'Other methods on these paths get 405, except OPTIONS. Other paths get 404.',
  },
  paths: {
    ...(contract.paths as unknown as Paths),
    ...withRefusals({
      ...namePaths,
      ...rangePaths,
      ...eventPaths,
      ...readerPaths,
      ...pushPaths,
      ...syncPaths,
      ...accessPaths,
      ...passkeyPaths,
      ...auditPaths,
      ...personalPaths,
      ...healthPaths,
      ...statusPaths,
    }),
  },
  components: { schemas: { ...schemas, ...contract.components.schemas }, securitySchemes },
  security: [{}, ...Object.keys(securitySchemes).map((name) => ({ [name]: [] }))],
};

/** Adds the refusals that any request may get. */
function withRefusals(paths: Paths): Paths {
  const refusals: Operation['responses'] = {
    400: failure('The request is not valid, for example without `Host` or with two of them.'),
    401: failure('The client has to sign in first, or the service has no user yet.'),
    403: failure('The client has no right to this, or the request comes from a page of another site.'),
    421: failure('`Host` is not a name of this service.'),
    429: failure(
      'Too many requests or event streams from one address. `Retry-After` says when to try again.',
    ),
  };
  const away =
    'The store cannot be reached at present (`Retry-After` says when to try again), or the disk refuses writes (`STORE_WRITE_FAILED`).';
  const refusing = ({ responses, ...operation }: Operation): Operation => {
    const { 503: own } = responses;
    const unavailable =
      own === undefined ? failure(away) : { ...own, description: `${own.description} Or: ${away}` };
    return { ...operation, responses: { ...refusals, ...responses, 503: unavailable } };
  };
  return mapValues(paths, (operations) => mapValues(operations, refusing));
}

function mapValues<T, U = T>(
  record: Readonly<Record<string, T>>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
