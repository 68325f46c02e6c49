import { SYNC_MAX_ENTRIES, SYNC_MAX_ITEMS } from '@tallybook/domain';
import { ref, type Schema } from '../schema.js';

const cursor: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const run: Schema = { type: 'string', minLength: 1, maxLength: 64 };
const count: Schema = { type: 'integer', minimum: 0 };
const keepFrom: Schema = {
  ...ref('Day'),
  description:
    'Days before this day are not kept. Absent if all days are kept, or while the centre postpones the removal of old days.',
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
    day: { ...ref('Day'), description: 'Day of the scan, as the station decided.' },
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
  stamp: { ...orNull(ref('NameStamp')), description: 'null: the time was not known.' },
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
    description: 'Key, digest, the end of refused scans, and the end of the erasure itself.',
    properties: {
      key: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      digest: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      until: ref('Timestamp'),
      expiresAt: ref('Timestamp'),
    },
    required: ['key', 'digest', 'until', 'expiresAt'],
  },
});

const day = kindOf('day', { day: { ...ref('Day'), description: 'Removed day, with its corrections.' } });

/** Values of `/api/sync` and `/api/stations`. */
export const syncSchemas: Readonly<Record<string, Schema>> = {
  NameStamp: {
    type: 'object',
    description:
      'When a name was given or removed: compared by ms, then counter, then node. Without a node, it is the time of arrival, and the time of the change is not known.',
    properties: { ms: cursor, counter: cursor, node: { type: 'string', maxLength: 64 } },
    required: ['ms', 'counter', 'node'],
  },
  UpItem: {
    description: 'Change at a station, with its place in the run.',
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
      run: { ...run, description: 'Run of the cursors. A new run begins whenever the cursors start again.' },
      after: { ...cursor, description: 'The batch begins after this cursor.' },
      through: { ...cursor, description: 'The batch covers everything up to this cursor.' },
      isRestart: {
        const: true,
        description: 'Any `after` is accepted: this run does not have the changes before it.',
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
          provisional: { ...count, description: 'Number of scans that wait for the right time.' },
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
    description: 'Item of a station that the centre refused.',
    properties: { run, cursor, at: ref('Timestamp'), code: { type: 'string' }, message: { type: 'string' } },
    required: ['run', 'cursor', 'at', 'code', 'message'],
  },
  SyncAnswer: {
    type: 'object',
    description: 'All of the batch is durable.',
    properties: {
      run,
      acknowledged: { ...cursor, description: 'The centre has this run up to here.' },
      refused: {
        type: 'array',
        items: ref('RefusedItem'),
        description: 'Items that were refused for good.',
      },
      superseded: {
        type: 'array',
        items: name,
        description: 'Names of the centre that replace those of the batch.',
      },
      erasures: {
        type: 'array',
        items: { type: 'object' },
        description: 'Why items of erased tags were refused.',
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
      origin: { ...run, description: 'Journal of the centre that the cursor belongs to.' },
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
      heardAt: { ...ref('Timestamp'), description: 'When its last batch came.' },
      waiting: { ...count, description: 'Number of its changes that waited to be sent at that time.' },
      oldestWaitingAt: {
        ...orNull(ref('Timestamp')),
        description: 'Time from which the oldest of them has waited.',
      },
      provisional: { ...count, description: 'Number of its scans that wait for the right time.' },
      isClockTrusted: { type: 'boolean' },
      run: { ...run, minLength: 0, description: 'The last acknowledged run; empty if there is none.' },
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
      centre: { type: 'string', description: 'The host of the centre.' },
      connection: {
        enum: ['connected', 'waiting'],
        description: '`waiting`: the centre is not reached, or refuses the requests. Attempts go on.',
      },
      waiting: { ...count, description: 'Number of changes that wait to be sent.' },
      oldestWaitingAt: orNull(ref('Timestamp')),
      lastContactAt: { ...orNull(ref('Timestamp')), description: 'When the centre last answered.' },
      refused: {
        type: 'array',
        items: ref('RefusedItem'),
        description: 'The latest refused items since the start.',
      },
      refusedCount: { ...count, description: 'Number of items that the centre refused since the start.' },
      heldErasures: {
        ...count,
        description:
          'Number of erasures that the centre did not take. They are sent again every hour. Until the centre takes them, data of these persons may come back there.',
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
