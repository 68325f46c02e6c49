import { auditActions } from '@tallybook/domain/access';
import {
  array,
  boolean,
  component,
  described,
  either,
  integer,
  number,
  object,
  oneOf,
  optional,
  orNull,
  record,
  string,
  type TypeOf,
} from '../schema.js';
import {
  cached,
  empty,
  fields,
  file,
  json,
  tooManyExports,
  operation,
  refusal,
  type Body,
} from '../operation.js';
import { numberIn, Timestamp } from '../values.js';
import { Fault } from './readers.js';
import { Upstream } from './sync.js';

const worst = ['ok', 'warn', 'fail'] as const;

const HealthStatus = oneOf(
  worst,
  '`ok`: nothing to do; `warn`: somebody should check it; `fail`: it does not work.',
);
export type HealthStatus = TypeOf<typeof HealthStatus>;

const detail = optional(string('For people: what is wrong, and what to do.'));

const PartHealth = object({
  part: string('Name of the part, such as `store`, `disk`, `readers` or `clock`. There may be others.'),
  status: HealthStatus,
  detail,
  items: optional(
    array(
      object({ name: string(), status: HealthStatus, detail }),
      'The members of the part, such as each reader.',
    ),
  ),
});
export type PartHealth = TypeOf<typeof PartHealth>;

const Health = component(
  'Health',
  {
    status: oneOf(worst, 'The worst status of all parts.'),
    isReady: boolean('Whether the service is open, and the store can read and write.'),
    parts: array(PartHealth),
  },
  {
    description:
      'State of the service. Without the right `see-service`, parts have no `detail` and no `items`.',
    examples: [
      {
        status: 'warn',
        isReady: true,
        parts: [
          { part: 'store', status: 'ok' },
          {
            part: 'readers',
            status: 'warn',
            items: [
              { name: 'hall', status: 'ok' },
              { name: 'door', status: 'warn', detail: 'not connected: /dev/ttyUSB0 is missing' },
            ],
          },
        ],
      },
    ],
  },
);
export type Health = TypeOf<typeof Health>;

const size = (description: string) => orNull(integer(), description);

const Storage = component(
  'Storage',
  { freeBytes: size('Free space for the service.'), usedBytes: size('Size of the files of the store.') },
  'Space in bytes; null if the file system does not report it.',
);
export type StorageState = TypeOf<typeof Storage>;

const Publisher = component(
  'Publisher',
  {
    name: string(),
    connection: oneOf(
      ['connected', 'waiting'],
      '`waiting`: the receiver, such as a broker, cannot be reached or refuses the messages, and the service tries again and again.',
    ),
    waiting: integer('Upper bound of the changes that wait to be published.'),
    setAside: integer({
      maximum: 1_000,
      description: 'Number of changes that the receiver refused, and that are kept to be sent again.',
    }),
    isStopped: boolean(
      'Whether it sends nothing any more, because the receiver gives an answer that another attempt will not change. No change is skipped.',
    ),
    lastFault: orNull(Fault),
  },
  'State of a publisher.',
);
export type PublisherState = TypeOf<typeof Publisher>;

const Status = component(
  'Status',
  {
    version: string('Version of the program.'),
    name: orNull(string(), 'Name of the place, as set; null without one.'),
    startedAt: described(Timestamp, 'Time of the start, by the present clock of the service.'),
    storage: orNull(Storage, 'null for a store in memory.'),
    publishers: array(Publisher, 'In the order of the configuration.'),
    upstream: orNull(Upstream, 'Progress of sending the record to a centre; null without a centre.'),
  },
  'State of the program.',
);
export type ServiceStatus = TypeOf<typeof Status>;

const hash = (description: string) => string({ pattern: '^[0-9a-f]{64}$', description });

const AuditEntry = component(
  'AuditEntry',
  {
    number: integer({ minimum: 1, description: 'One more than the number of the entry before it.' }),
    at: integer('Seconds since 1970-01-01T00:00:00Z.'),
    actor: string(
      'The name of a user, `token LABEL`, `centre HOST`, `console`, `the service`, or `anyone` where access is not restricted.',
    ),
    action: oneOf(auditActions),
    details: record(
      string(),
      either([string(), boolean(), number()]),
      'Ids of tags, days, counts; never the name of a recorded person.',
    ),
    previous: hash('The `hash` of the entry before it; zeros for the first entry.'),
    hash: hash('SHA-256 of the other fields in canonical JSON (RFC 8785).'),
  },
  'An entry of the audit trail: an action of a person, a program or the service.',
);
export type AuditEntry = TypeOf<typeof AuditEntry>;

const AuditPage = component('AuditPage', {
  entries: array(AuditEntry, 'Ascending by number.'),
  isWhole: boolean('Whether none of these entries is missing or was changed.'),
});
export type AuditPage = TypeOf<typeof AuditPage>;

const RestoreReport = component(
  'RestoreReport',
  {
    persons: integer(),
    names: integer(),
    entries: integer('Of tags on days.'),
    corrections: integer(),
    provisional: integer('Scans without a day.'),
    refused: integer('Records of persons who were erased, which were left out.'),
    isChanged: boolean(
      'Whether the record has changed meanwhile; false if it had all of the backup already.',
    ),
  },
  'Number of records in the backup.',
);
export type RestoreReport = TypeOf<typeof RestoreReport>;

/** Allowed types of a backup. Its form is checked, whatever its type. */
export const BACKUP_TYPES: readonly string[] = [
  'application/jsonl',
  'application/x-ndjson',
  'application/octet-stream',
  'text/plain',
  'text/csv',
];

const backup: Body = {
  description:
    'JSON Lines, as `GET /api/export` gives them, of any size. It has to arrive within 30 seconds; `tallybook import` takes longer ones.',
  content: Object.fromEntries(BACKUP_TYPES.map((type) => [type, { schema: string() }])),
};

/** Number of entries of the audit trail in an answer: the default, and the maximum. */
export const AUDIT_DEFAULT_LIMIT = 100;
const AUDIT_MAX_LIMIT = 1_000;

/** Health and state of the service, its audit trail, and all its data. */
export const serviceOperations = {
  'GET /api/status': operation({
    id: 'readStatus',
    summary: 'State of the program: version, time of the start, storage and publishers',
    action: 'see-service',
    answers: { 200: json(Status) },
  }),
  'POST /api/publishers/send-again': operation({
    id: 'sendAgain',
    summary: 'A publisher sends its set-aside changes again, and goes on if it has stopped',
    action: 'manage-access',
    body: fields({ name: string('Name of the publisher.') }, 'SendAgain'),
    answers: {
      202: empty('It begins. `GET /api/status` shows how far it gets. Empty body.'),
      404: refusal('There is no such publisher.'),
    },
  }),
  'GET /api/health': operation({
    id: 'readHealth',
    summary:
      'Health of the service and of each part. Everybody may read it; `detail` and `items` need the right `see-service`',
    action: 'public',
    answers: { 200: json(Health, 'The present state, good or bad: look at `status`.') },
  }),
  'GET /api/health/live': operation({
    id: 'isLive',
    summary: 'Whether the process answers',
    action: 'public',
    answers: { 200: json(component('Live', { isLive: oneOf([true]) }), 'The process answers.') },
  }),
  'GET /api/health/ready': operation({
    id: 'isReady',
    summary: 'Whether the service can work: it is open, and the store can read and write',
    action: 'public',
    answers: {
      200: json(component('Ready', { isReady: oneOf([true]) }), 'The service can work.'),
      503: refusal('The service cannot work; `/api/health` gives the reason.'),
    },
  }),
  'GET /api/metrics': operation({
    id: 'readMetrics',
    summary: 'Measurements for Prometheus. Counters of events begin at the first request',
    action: 'see-service',
    answers: { 200: file('text/plain', 'The text format of Prometheus, version 0.0.4.') },
  }),
  'GET /api/audit': operation({
    id: 'readAudit',
    summary: 'Who did what and when: the audit trail',
    action: 'see-audit',
    query: {
      after: numberIn(
        'digits',
        [0, Number.MAX_SAFE_INTEGER],
        'Number after which entries are listed. Default: the latest entries.',
      ),
      limit: numberIn(
        'digits',
        [1, AUDIT_MAX_LIMIT],
        `Maximum number of entries: 1 to ${AUDIT_MAX_LIMIT}, default ${AUDIT_DEFAULT_LIMIT}.`,
      ),
    },
    answers: { 200: json(AuditPage) },
  }),
  'GET /api/export': operation({
    id: 'exportAll',
    summary: 'A backup of all data, as it was when the answer began',
    action: 'back-up',
    isCostly: true,
    answers: {
      200: file(
        'application/jsonl',
        'JSON Lines in the format of `tallybook import`. Complete only if the last line has the kind `end`.',
        'A file name, with the date if the clock is trusted.',
      ),
      503: tooManyExports,
    },
  }),
  'POST /api/restore': operation({
    id: 'restore',
    summary:
      'Merge a backup into the record, as `tallybook import` does; if a line is invalid, nothing is changed',
    action: 'back-up',
    isCostly: true,
    body: backup,
    answers: {
      200: json(RestoreReport, 'All of it is stored durably.'),
      422: refusal('The backup is not valid (`INVALID_BACKUP`): the message names its first wrong line.'),
      503: refusal(
        'Another backup is being restored, or the disk has too little space. `Retry-After` says when to try again.',
      ),
    },
  }),
  'GET /api/openapi.json': operation({
    id: 'readOpenApi',
    summary: 'This document',
    action: 'signed-in',
    answers: cached(object({}), 'An OpenAPI 3.1 document.'),
  }),
};
