import { SYNC_MAX_BYTES, SYNC_MAX_WAIT_MS } from '@tallybook/domain/sync';
import { ref } from './schema.js';
import {
  failure,
  internalError,
  momentary,
  notStored,
  query,
  required,
  readable,
  refusedBodies,
  type Parameter,
  type Paths,
} from './operation.js';

const fromWhere: readonly Parameter[] = [
  query(
    'origin',
    '`origin` of the last answer. Without `origin` and `after`, the answer has the present cursor.',
    { type: 'string', minLength: 1, maxLength: 64 },
  ),
  query('after', '`cursor` of the last answer.', { type: 'string', pattern: '^[0-9]{1,16}$' }),
  query('wait', `Seconds to wait if there is no change yet, 0 to ${SYNC_MAX_WAIT_MS / 1_000}, default 0.`, {
    type: 'string',
    pattern: '^[0-9]{1,2}$',
  }),
];

/** Synchronisation of stations with a centre: see docs/reference/sync-protocol.md. */
export const syncPaths: Paths = {
  '/api/sync': {
    post: {
      operationId: 'sync',
      summary: 'Send a batch of a station. It is durable when the answer comes',
      requestBody: {
        description: `JSON in UTF-8, at most ${SYNC_MAX_BYTES} bytes.`,
        required: true,
        content: { 'application/json': { schema: ref('SyncBatch') } },
      },
      responses: {
        ...momentary('SyncAnswer'),
        400: failure('The body is not a batch (`INVALID_SYNC`); the answer gives the reason.'),
        409: failure(
          'The batch does not continue the acknowledged changes (`SYNC_GAP`). `expected` is the last cursor that the centre has.',
        ),
        ...refusedBodies,
        500: internalError,
      },
    },
  },
  '/api/sync/changes': readable({
    operationId: 'syncChanges',
    summary: 'Changes after a cursor, for a station: at once, or when they happen',
    parameters: fromWhere,
    responses: {
      ...momentary('SyncChanges'),
      400: failure('A parameter is invalid or given twice, or one of a pair is missing.'),
      410: failure(
        'The centre no longer has all changes after the cursor (`SYNC_TOO_OLD`): take the snapshot.',
      ),
      500: internalError,
    },
  }),
  '/api/sync/snapshot': readable({
    operationId: 'syncSnapshot',
    summary: 'The present state for a station: erasures, names and corrections',
    responses: {
      200: {
        description:
          'JSON Lines: a `head`, the items, and an `end`. Without the `end`, the snapshot was cut short.',
        headers: notStored,
        content: { 'application/jsonl': { schema: { type: 'string' } } },
      },
      500: internalError,
      503: failure('Too many stations read a snapshot at this time. `Retry-After` says when to try again.'),
    },
  }),
  '/api/stations': {
    ...readable({
      operationId: 'listStations',
      summary: 'The stations of this centre, and the state of each',
      responses: { ...momentary('Stations'), 500: internalError },
    }),
    delete: {
      operationId: 'removeStation',
      summary: 'Remove a station from the list. Its record stays',
      parameters: [required('name', 'Name of the station.', { type: 'string', minLength: 1 })],
      responses: {
        204: { description: 'The station is removed durably.' },
        400: failure('The name is missing or given twice.'),
        404: failure('There is no such station.'),
        500: internalError,
      },
    },
  },
};
