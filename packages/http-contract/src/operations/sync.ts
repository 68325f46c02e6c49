import { LABEL_MAX_LENGTH } from '@tallybook/domain/access';
import {
  SYNC_MAX_BYTES,
  SYNC_MAX_CURSOR,
  SYNC_MAX_ENTRIES,
  SYNC_MAX_ITEMS,
  SYNC_MAX_WAIT_MS,
  SYNC_PROTOCOL,
} from '@tallybook/domain/sync';
import { ENTRY_SCANS_MAX } from '@tallybook/domain/record';
import {
  array,
  boolean,
  component,
  described,
  either,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  string,
  type TypeOf,
} from '../schema.js';
import { empty, file, json, jsonBody, operation, refusal } from '../operation.js';
import { Day, numberIn, TallyId, Timestamp } from '../values.js';
import { Name } from './names.js';
import { halfDigest } from './personal.js';
import { Fault } from './readers.js';

const cursor = integer({ maximum: SYNC_MAX_CURSOR });
const whole = integer({ maximum: Number.MAX_SAFE_INTEGER });
const run = string({ minLength: 1, maxLength: 64 });
const keepFrom = optional(
  described(
    Day,
    'Days before this one are not kept. Absent if all days are kept, or while the centre does not remove old days because of a doubt.',
  ),
);
const now = described(Timestamp, 'The time at the centre.');

const Stamp = component(
  'Stamp',
  { ms: whole, counter: whole, node: string({ maxLength: 64 }) },
  'Time of a change of a name. Stamps are compared by ms, then counter, then node. With an empty node it is the time of arrival, and the time of the change is unknown.',
);
export type Stamp = TypeOf<typeof Stamp>;

const scan = {
  day: described(Day, 'Day of the scan, decided by the station.'),
  id: TallyId,
  at: Timestamp,
  reader: optional(string()),
  filed: optional(
    object(
      {
        sequence: integer({ minimum: 1 }),
        estimate: optional(object({ earliest: Timestamp, latest: Timestamp })),
      },
      'Present if the scan was provisional before.',
    ),
  ),
  flags: optional(described(whole, 'Bits of later versions, which each place carries on. Absent if 0.')),
};

const SPOKEN = `Protocol that the sender speaks; this version speaks ${SYNC_PROTOCOL}. Absent: 1.`;
const protocol = optional(integer(SPOKEN));
const spoken = numberIn('digits', [1, Number.MAX_SAFE_INTEGER], SPOKEN);

const name = {
  id: TallyId,
  name: orNull(Name, 'null: the name was removed.'),
  stamp: orNull(Stamp, 'null: the time of the change is unknown.'),
};
const NameItem = object({ kind: oneOf(['name']), ...name });

const correction = { correction: object({}, 'The whole correction in its present state.') };

const entries = {
  day: Day,
  entries: array(
    object({
      id: TallyId,
      first: Timestamp,
      last: Timestamp,
      count: integer(),
      scans: optional(
        array(Timestamp, {
          maxItems: ENTRY_SCANS_MAX,
          description:
            'Known scans, ascending. The first and the last scan are known, and may be missing here. An entry with more scans takes several elements.',
        }),
      ),
      flags: optional(array(whole, 'The flags of each of `scans`. Absent if all are 0.')),
    }),
    {
      minItems: 1,
      maxItems: SYNC_MAX_ENTRIES,
    },
  ),
};

const Erased = object(
  { key: halfDigest, digest: halfDigest, from: Timestamp, until: Timestamp, expiresAt: Timestamp },
  'Key, digest, the times between which scans are refused, and the end of the erasure itself.',
);
const erasure = { erasure: Erased };

const carried = {
  row: object({}, 'A row of a kind that a later version may know, as a whole.'),
};

const UpItem = named(
  'UpItem',
  either(
    [
      object({ kind: oneOf(['scan']), cursor, ...scan }),
      object({ kind: oneOf(['name']), cursor, ...name }),
      object({ kind: oneOf(['correction']), cursor, ...correction }),
      object({ kind: oneOf(['entries']), cursor, ...entries }),
      object({ kind: oneOf(['erasure']), cursor, ...erasure }),
      object({ kind: oneOf(['carried']), cursor, ...carried }),
    ],
    'Change at a station, with its cursor in the run.',
  ),
);

const DownItem = named(
  'DownItem',
  either(
    [
      NameItem,
      object({ kind: oneOf(['correction']), ...correction }),
      object({ kind: oneOf(['erasure']), ...erasure }),
      object({ kind: oneOf(['carried']), ...carried }),
      object({
        kind: oneOf(['day']),
        day: described(Day, 'Day whose record was removed, with its corrections.'),
      }),
    ],
    'Change at the centre.',
  ),
);

const SyncBatch = component(
  'SyncBatch',
  {
    protocol,
    run: described(
      run,
      'Name of this sequence of cursors. The station takes another one whenever its cursors begin again.',
    ),
    after: described(cursor, 'The batch begins after this cursor.'),
    through: described(cursor, 'The batch covers everything up to this cursor.'),
    isRestart: optional(
      oneOf([true], 'The centre accepts any `after`, because this run does not have the changes before it.'),
    ),
    items: array(UpItem, { maxItems: SYNC_MAX_ITEMS, description: 'Ascending by cursor.' }),
    status: object(
      {
        waiting: integer('Number of changes that wait to be sent.'),
        oldestWaitingAt: optional(Timestamp),
        provisional: integer('Number of provisional scans.'),
        isClockTrusted: boolean(),
        version: string({ minLength: 1, maxLength: 64 }),
      },
      'State of the station.',
    ),
  },
  'A batch of a station.',
);
export type SyncBatch = TypeOf<typeof SyncBatch>;

const RefusedItem = component('RefusedItem', { cursor, code: string(), message: string() });
export type RefusedItem = TypeOf<typeof RefusedItem>;

const RefusedNote = component(
  'RefusedNote',
  { run, cursor, at: Timestamp, code: string(), message: string() },
  'An item that the centre refused.',
);

const SyncAnswer = component(
  'SyncAnswer',
  {
    protocol,
    run,
    acknowledged: described(cursor, 'The centre has this run up to this cursor.'),
    refused: array(RefusedItem, 'Items that were refused for good.'),
    superseded: array(NameItem, 'Names of the centre that replace names of the batch.'),
    erasures: array(Erased, 'The erasures for which items were refused.'),
    keepFrom,
    now,
  },
  'The whole batch is durable.',
);
export type SyncAnswer = TypeOf<typeof SyncAnswer>;

const SyncChanges = component(
  'SyncChanges',
  {
    protocol,
    origin: described(run, 'The journal of the centre to which the cursor belongs.'),
    cursor: described(cursor, 'Cursor for the next request.'),
    items: array(DownItem, 'In their order.'),
    erasureKey: optional(
      described(
        halfDigest,
        'The key of the erasures of the centre, in an answer to a request without a cursor.',
      ),
    ),
    keepFrom,
    now,
  },
  'Changes after a cursor.',
);
export type SyncChanges = TypeOf<typeof SyncChanges>;

const Station = component(
  'Station',
  {
    name: string('The label of its token.'),
    version: string(),
    heardAt: described(Timestamp, 'Time of the last contact.'),
    waiting: integer('Number of changes that waited at the station at the last contact.'),
    oldestWaitingAt: orNull(Timestamp, 'Time of the oldest waiting change.'),
    provisional: integer('Number of provisional scans at the station at the last contact.'),
    isClockTrusted: boolean(),
    run: string({
      maxLength: 64,
      description: 'The run of the last acknowledged batch; empty if there is none.',
    }),
    acknowledged: described(cursor, 'The last acknowledged cursor of that run.'),
    refused: array(RefusedNote, 'The last refused items, in the order of arrival.'),
  },
  'A station of this centre, and its state.',
);
export type Station = TypeOf<typeof Station>;

const Stations = named('Stations', array(Station, 'Ascending by name.'));

export const Upstream = component(
  'Upstream',
  {
    centre: string('Host of the centre.'),
    connection: oneOf(
      ['connected', 'waiting'],
      '`waiting`: the centre cannot be reached or refuses the requests, and the service tries again and again.',
    ),
    waiting: integer('Number of changes that wait to be sent.'),
    oldestWaitingAt: orNull(Timestamp),
    lastContactAt: orNull(Timestamp, 'Time of the last answer.'),
    refused: array(RefusedItem, 'The latest refused items since the start.'),
    refusedCount: integer('Number of items that the centre has refused since the start.'),
    lastFault: orNull(Fault),
  },
  'Progress of sending the record to a centre.',
);
export type UpstreamState = TypeOf<typeof Upstream>;

const MAX_WAIT_SECONDS = SYNC_MAX_WAIT_MS / 1_000;

/** Synchronisation of stations with a centre: see docs/reference/sync-protocol.md. */
export const syncOperations = {
  'POST /api/sync': operation({
    id: 'sync',
    summary: 'Send a batch of a station. It is durable when the answer comes',
    action: 'sync-record',
    body: jsonBody(SyncBatch, SYNC_MAX_BYTES),
    invalid: 'The body is not a batch (`INVALID_SYNC`); the answer gives the reason.',
    answers: {
      200: json(SyncAnswer),
      409: refusal(
        'The batch does not continue the acknowledged changes (`SYNC_GAP`). `expected` is the last cursor that the centre has.',
      ),
    },
  }),
  'GET /api/sync/changes': operation({
    id: 'syncChanges',
    summary: 'Changes after a cursor, for a station: at once, or when they happen',
    action: 'sync-record',
    query: {
      protocol: spoken,
      origin: optional(
        string({
          ...{ minLength: 1, maxLength: 64 },
          description:
            '`origin` of the last answer. Without `origin` and `after`, the answer has the present cursor.',
        }),
      ),
      after: numberIn('digits', [0, Number.MAX_SAFE_INTEGER], '`cursor` of the last answer.'),
      wait: numberIn(
        'seconds',
        [0, MAX_WAIT_SECONDS],
        `Seconds to wait if there is no change yet, 0 to ${MAX_WAIT_SECONDS}, default 0.`,
      ),
    },
    invalid: 'A parameter is invalid or given twice, or one of a pair is missing.',
    answers: {
      200: json(SyncChanges),
      410: refusal(
        'The centre no longer has all changes after the cursor (`SYNC_TOO_OLD`): take the snapshot.',
      ),
    },
  }),
  'GET /api/sync/snapshot': operation({
    id: 'syncSnapshot',
    summary: 'The present state for a station: erasures, names and corrections',
    action: 'sync-record',
    query: { protocol: spoken },
    isCostly: true,
    answers: {
      200: file(
        'application/jsonl',
        'JSON Lines: a `head`, the items, and an `end`. Without the `end`, the snapshot was cut short.',
      ),
      503: refusal('Too many stations read a snapshot at this time. `Retry-After` says when to try again.'),
    },
  }),
  'GET /api/stations': operation({
    id: 'listStations',
    summary: 'The stations of this centre, and the state of each',
    action: 'see-stations',
    answers: { 200: json(Stations) },
  }),
  'DELETE /api/stations': operation({
    id: 'removeStation',
    summary: 'Remove a station from the list. Its record stays',
    action: 'manage-access',
    query: {
      name: string({ minLength: 1, maxLength: LABEL_MAX_LENGTH, description: 'Name of the station.' }),
    },
    answers: {
      204: empty('The station is removed durably.'),
      404: refusal('There is no such station.'),
    },
  }),
};
