import { SYNC_MAX_CURSOR, SYNC_MAX_ENTRIES, SYNC_MAX_ITEMS } from '@tallybook/domain/sync';
import { array, object, orNull, ref, string, type Schema } from './schema.js';

const cursor: Schema = { type: 'integer', minimum: 0, maximum: SYNC_MAX_CURSOR };
const whole: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const run: Schema = { type: 'string', minLength: 1, maxLength: 64 };
const count: Schema = { type: 'integer', minimum: 0 };
const keepFrom: Schema = ref(
  'Day',
  'Days before this one are not kept. Absent if all days are kept, or while the centre does not remove old days because of a doubt.',
);
const now: Schema = ref('Timestamp', 'The time at the centre.');

/** An object of one kind. */
function kindOf(kind: string, properties: Readonly<Record<string, Schema>>, optional: string[] = []): Schema {
  return object({ kind: { const: kind }, ...properties }, { optional });
}

const scan = kindOf(
  'scan',
  {
    day: ref('Day', 'Day of the scan, decided by the station.'),
    id: ref('TallyId'),
    at: ref('Timestamp'),
    reader: { type: 'string' },
    filed: object(
      {
        sequence: { type: 'integer', minimum: 1 },
        estimate: object({ earliest: ref('Timestamp'), latest: ref('Timestamp') }),
      },
      { optional: ['estimate'], description: 'Present if the scan was provisional before.' },
    ),
  },
  ['reader', 'filed'],
);

const name = kindOf('name', {
  id: ref('TallyId'),
  name: orNull(ref('Name'), 'null: the name was removed.'),
  stamp: orNull(ref('NameStamp'), 'null: the time of the change is unknown.'),
});

const correction = kindOf('correction', {
  correction: { type: 'object', description: 'The whole correction in its present state.' },
});

const entries = kindOf('entries', {
  day: ref('Day'),
  entries: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: SYNC_MAX_ENTRIES },
});

const halfDigest = { type: 'string', pattern: '^[0-9a-f]{32}$' };

const erasure = kindOf('erasure', {
  erasure: object(
    {
      ...{ key: halfDigest, digest: halfDigest },
      ...{ from: ref('Timestamp'), until: ref('Timestamp'), expiresAt: ref('Timestamp') },
    },
    'Key, digest, the times between which scans are refused, and the end of the erasure itself.',
  ),
});

const day = kindOf('day', {
  day: ref('Day', 'Day whose record was removed, with its corrections.'),
});

/** Values of `/api/sync` and `/api/stations`. */
export const syncSchemas: Readonly<Record<string, Schema>> = {
  NameStamp: object(
    { ms: whole, counter: whole, node: { type: 'string', maxLength: 64 } },
    'Time of a change of a name. Stamps are compared by ms, then counter, then node. With an empty node it is the time of arrival, and the time of the change is unknown.',
  ),
  UpItem: {
    description: 'Change at a station, with its cursor in the run.',
    oneOf: [scan, name, correction, entries, erasure],
    properties: { cursor },
    required: ['cursor'],
  },
  DownItem: {
    description: 'Change at the centre.',
    oneOf: [name, correction, erasure, day],
  },
  SyncBatch: object(
    {
      run: {
        ...run,
        description:
          'Name of this sequence of cursors. The station takes another one whenever its cursors begin again.',
      },
      after: { ...cursor, description: 'The batch begins after this cursor.' },
      through: { ...cursor, description: 'The batch covers everything up to this cursor.' },
      isRestart: {
        const: true,
        description: 'The centre accepts any `after`, because this run does not have the changes before it.',
      },
      items: {
        type: 'array',
        items: ref('UpItem'),
        maxItems: SYNC_MAX_ITEMS,
        description: 'Ascending by cursor.',
      },
      status: object(
        {
          waiting: { ...count, description: 'Number of changes that wait to be sent.' },
          oldestWaitingAt: ref('Timestamp'),
          provisional: { ...count, description: 'Number of provisional scans.' },
          isClockTrusted: { type: 'boolean' },
          version: { type: 'string', minLength: 1, maxLength: 64 },
        },
        { optional: ['oldestWaitingAt'], description: 'State of the station.' },
      ),
    },
    { optional: ['isRestart'], description: 'A batch of a station.' },
  ),
  RefusedItem: object({ cursor, code: { type: 'string' }, message: { type: 'string' } }),
  RefusedNote: object(
    { run, cursor, at: ref('Timestamp'), code: { type: 'string' }, message: { type: 'string' } },
    'An item that the centre refused.',
  ),
  SyncAnswer: object(
    {
      run,
      acknowledged: { ...cursor, description: 'The centre has this run up to this cursor.' },
      refused: array(ref('RefusedItem'), 'Items that were refused for good.'),
      superseded: array(name, 'Names of the centre that replace names of the batch.'),
      erasures: array({ type: 'object' }, 'The erasures for which items were refused.'),
      keepFrom,
      now,
    },
    { optional: ['keepFrom'], description: 'The whole batch is durable.' },
  ),
  SyncChanges: object(
    {
      origin: { ...run, description: 'The journal of the centre to which the cursor belongs.' },
      cursor: { ...cursor, description: 'Cursor for the next request.' },
      items: array(ref('DownItem'), 'In their order.'),
      erasureKey: {
        ...halfDigest,
        description: 'The key of the erasures of the centre, in an answer to a request without a cursor.',
      },
      keepFrom,
      now,
    },
    { optional: ['erasureKey', 'keepFrom'], description: 'Changes after a cursor.' },
  ),
  Station: {
    type: 'object',
    description: 'A station of this centre, and its state.',
    properties: {
      name: string('The label of its token.'),
      version: { type: 'string' },
      heardAt: ref('Timestamp', 'Time of the last contact.'),
      waiting: { ...count, description: 'Number of changes that waited at the station at the last contact.' },
      oldestWaitingAt: orNull(ref('Timestamp'), 'Time of the oldest waiting change.'),
      provisional: {
        ...count,
        description: 'Number of provisional scans at the station at the last contact.',
      },
      isClockTrusted: { type: 'boolean' },
      run: {
        ...run,
        minLength: 0,
        description: 'The run of the last acknowledged batch; empty if there is none.',
      },
      acknowledged: { ...cursor, description: 'The last acknowledged cursor of that run.' },
      refused: array(ref('RefusedNote'), 'The last refused items, in the order of arrival.'),
    },
    required: [
      ...['name', 'version', 'heardAt', 'waiting', 'oldestWaitingAt', 'provisional'],
      ...['isClockTrusted', 'run', 'acknowledged', 'refused'],
    ],
  },
  Upstream: {
    type: 'object',
    description: 'Progress of sending the record to a centre.',
    properties: {
      centre: string('Host of the centre.'),
      connection: {
        enum: ['connected', 'waiting'],
        description:
          '`waiting`: the centre cannot be reached or refuses the requests, and the service tries again and again.',
      },
      waiting: { ...count, description: 'Number of changes that wait to be sent.' },
      oldestWaitingAt: orNull(ref('Timestamp')),
      lastContactAt: orNull(ref('Timestamp'), 'Time of the last answer.'),
      refused: array(ref('RefusedItem'), 'The latest refused items since the start.'),
      refusedCount: { ...count, description: 'Number of items that the centre has refused since the start.' },
      lastFault: orNull(ref('Fault')),
    },
    required: [
      ...['centre', 'connection', 'waiting', 'oldestWaitingAt', 'lastContactAt'],
      ...['refused', 'refusedCount', 'lastFault'],
    ],
  },
  Stations: array(ref('Station'), 'Ascending by name.'),
};
