import { SYNC_MAX_CURSOR, SYNC_MAX_ENTRIES, SYNC_MAX_ITEMS } from '@tallybook/domain/sync';
import { ref, type Schema } from './schema.js';

const cursor: Schema = { type: 'integer', minimum: 0, maximum: SYNC_MAX_CURSOR };
const whole: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const run: Schema = { type: 'string', minLength: 1, maxLength: 64 };
const count: Schema = { type: 'integer', minimum: 0 };
const keepFrom: Schema = {
  ...ref('Day'),
  description:
    'Days before this one are not kept. Absent if all days are kept, or while the centre does not remove old days because of a doubt.',
};
const now: Schema = { ...ref('Timestamp'), description: 'The time at the centre.' };
const orNull = (schema: Schema): Schema => ({ oneOf: [schema, { type: 'null' }] });

/** An object of one kind. All properties except `optional` are required. */
function kindOf(kind: string, properties: Readonly<Record<string, Schema>>, optional: string[] = []): Schema {
  const all = { kind: { const: kind }, ...properties };
  return {
    type: 'object',
    properties: all,
    required: Object.keys(all).filter((name) => !optional.includes(name)),
  };
}

const scan = kindOf(
  'scan',
  {
    day: { ...ref('Day'), description: 'Day of the scan, decided by the station.' },
    id: ref('TallyId'),
    at: ref('Timestamp'),
    reader: { type: 'string' },
    filed: {
      type: 'object',
      description: 'Present if the scan was provisional before.',
      properties: {
        sequence: { type: 'integer', minimum: 1 },
        estimate: {
          type: 'object',
          properties: { earliest: ref('Timestamp'), latest: ref('Timestamp') },
          required: ['earliest', 'latest'],
        },
      },
      required: ['sequence'],
    },
  },
  ['reader', 'filed'],
);

const name = kindOf('name', {
  id: ref('TallyId'),
  name: { ...orNull(ref('Name')), description: 'null: the name was removed.' },
  stamp: { ...orNull(ref('NameStamp')), description: 'null: the time of the change is unknown.' },
});

const correction = kindOf('correction', {
  correction: { type: 'object', description: 'The whole correction in its present state.' },
});

const entries = kindOf('entries', {
  day: ref('Day'),
  entries: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: SYNC_MAX_ENTRIES },
});

const erasure = kindOf('erasure', {
  erasure: {
    type: 'object',
    description: 'Key, digest, the time up to which scans are refused, and the end of the erasure itself.',
    properties: {
      key: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      digest: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      until: ref('Timestamp'),
      expiresAt: ref('Timestamp'),
    },
    required: ['key', 'digest', 'until', 'expiresAt'],
  },
});

const day = kindOf('day', {
  day: { ...ref('Day'), description: 'Day whose record was removed, with its corrections.' },
});

/** Values of `/api/sync` and `/api/stations`. */
export const syncSchemas: Readonly<Record<string, Schema>> = {
  NameStamp: {
    type: 'object',
    description:
      'Time of a change of a name. Stamps are compared by ms, then counter, then node. With an empty node it is the time of arrival, and the time of the change is unknown.',
    properties: { ms: whole, counter: whole, node: { type: 'string', maxLength: 64 } },
    required: ['ms', 'counter', 'node'],
  },
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
  SyncBatch: {
    type: 'object',
    description: 'A batch of a station.',
    properties: {
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
      status: {
        type: 'object',
        description: 'State of the station.',
        properties: {
          waiting: { ...count, description: 'Number of changes that wait to be sent.' },
          oldestWaitingAt: ref('Timestamp'),
          provisional: { ...count, description: 'Number of provisional scans.' },
          isClockTrusted: { type: 'boolean' },
          version: { type: 'string', minLength: 1, maxLength: 64 },
        },
        required: ['waiting', 'provisional', 'isClockTrusted', 'version'],
      },
    },
    required: ['run', 'after', 'through', 'items', 'status'],
  },
  RefusedItem: {
    type: 'object',
    properties: { cursor, code: { type: 'string' }, message: { type: 'string' } },
    required: ['cursor', 'code', 'message'],
  },
  RefusedNote: {
    type: 'object',
    description: 'An item that the centre refused.',
    properties: { run, cursor, at: ref('Timestamp'), code: { type: 'string' }, message: { type: 'string' } },
    required: ['run', 'cursor', 'at', 'code', 'message'],
  },
  SyncAnswer: {
    type: 'object',
    description: 'The whole batch is durable.',
    properties: {
      run,
      acknowledged: { ...cursor, description: 'The centre has this run up to this cursor.' },
      refused: {
        type: 'array',
        items: ref('RefusedItem'),
        description: 'Items that were refused for good.',
      },
      superseded: {
        type: 'array',
        items: name,
        description: 'Names of the centre that replace names of the batch.',
      },
      erasures: {
        type: 'array',
        items: { type: 'object' },
        description: 'The erasures for which items were refused.',
      },
      keepFrom,
      now,
    },
    required: ['run', 'acknowledged', 'refused', 'superseded', 'erasures', 'now'],
  },
  SyncChanges: {
    type: 'object',
    description: 'Changes after a cursor.',
    properties: {
      origin: { ...run, description: 'The journal of the centre to which the cursor belongs.' },
      cursor: { ...cursor, description: 'Cursor for the next request.' },
      items: { type: 'array', items: ref('DownItem'), description: 'In their order.' },
      keepFrom,
      now,
    },
    required: ['origin', 'cursor', 'items', 'now'],
  },
  Station: {
    type: 'object',
    description: 'A station of this centre, and its state.',
    properties: {
      name: { type: 'string', description: 'The label of its token.' },
      version: { type: 'string' },
      heardAt: { ...ref('Timestamp'), description: 'Time of the last contact.' },
      waiting: { ...count, description: 'Number of changes that waited at the station at the last contact.' },
      oldestWaitingAt: { ...orNull(ref('Timestamp')), description: 'Time of the oldest waiting change.' },
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
      refused: {
        type: 'array',
        items: ref('RefusedNote'),
        description: 'The last refused items, in the order of arrival.',
      },
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
      centre: { type: 'string', description: 'Host of the centre.' },
      connection: {
        enum: ['connected', 'waiting'],
        description:
          '`waiting`: the centre cannot be reached or refuses the requests, and the service tries again and again.',
      },
      waiting: { ...count, description: 'Number of changes that wait to be sent.' },
      oldestWaitingAt: orNull(ref('Timestamp')),
      lastContactAt: { ...orNull(ref('Timestamp')), description: 'Time of the last answer.' },
      refused: {
        type: 'array',
        items: ref('RefusedItem'),
        description: 'The latest refused items since the start.',
      },
      refusedCount: { ...count, description: 'Number of items that the centre has refused since the start.' },
      heldErasures: {
        ...count,
        description:
          'Number of erasures that the centre did not accept. The station sends them again every hour. Until the centre accepts them, data of these persons may appear at the centre again.',
      },
      lastFault: orNull(ref('Fault')),
    },
    required: [
      ...['centre', 'connection', 'waiting', 'oldestWaitingAt', 'lastContactAt'],
      ...['refused', 'refusedCount', 'heldErasures', 'lastFault'],
    ],
  },
  Stations: { type: 'array', items: ref('Station'), description: 'Ascending by name.' },
};
