import { DAY_MAX, NAME_PART_MAX_LENGTH, UNNAMED_MAX_TAGS } from '@tallybook/domain';
import { pushSchemas } from './openapi/push-schemas.js';
import { accessSchemas } from './openapi/access-schemas.js';
import { auditSchemas } from './openapi/audit-schemas.js';
import { passkeySchemas } from './openapi/passkey-schemas.js';
import { personalSchemas } from './openapi/personal-schemas.js';
import { correctionSchemas } from './openapi/correction-schemas.js';
import { healthSchemas } from './openapi/health-schemas.js';
import { syncSchemas } from './openapi/sync-schemas.js';
import { ref, type Schema } from './openapi/schema.js';
import { TIME_MAX_SECONDS } from './routes-time.js';

export { ref, type Schema };

const count: Schema = { type: 'integer', minimum: 0 };
const line: Schema = { type: 'integer', minimum: 1, description: 'Of the list, from 1.' };

/** Every value that the interface sends or takes, by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  ...auditSchemas,
  TallyId: {
    type: 'string',
    pattern: '^(?:[0-9A-F]{2}){3,10}$',
    description: 'The 3 to 10 bytes of a tag in upper-case hex. Text, never a number: leading zeros count.',
    examples: ['04A2B3C4D5'],
  },
  Name: {
    type: 'object',
    description: 'The holder of a tag. At least one of the two parts is not empty.',
    properties: {
      first: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
      last: { type: 'string', maxLength: NAME_PART_MAX_LENGTH },
    },
    required: ['first', 'last'],
    examples: [{ first: 'Ada', last: 'Lovelace' }],
  },
  Mapping: {
    type: 'object',
    description: 'All names by TallyId, ascending.',
    propertyNames: ref('TallyId'),
    additionalProperties: ref('Name'),
    examples: [{ '04A2B3C4D5': { first: 'Ada', last: 'Lovelace' } }],
  },
  MappingOrName: { oneOf: [ref('Mapping'), ref('Name')] },
  TallyIds: { type: 'array', items: ref('TallyId'), uniqueItems: true, description: 'Ascending.' },
  NameCounts: {
    type: 'object',
    description:
      'The data of a `names` event: how many tags have got a name, another name, or none any more.',
    properties: { added: count, changed: count, removed: count },
    required: ['added', 'changed', 'removed'],
  },
  NameListReport: {
    type: 'object',
    description: 'What a list of names has changed, or would change.',
    properties: {
      dryRun: { type: 'boolean' },
      added: { ...count, description: 'Tags that had no name.' },
      changed: { ...count, description: 'Tags that had another name.' },
      same: { ...count, description: 'Tags that have the name already.' },
      changes: { type: 'array', items: ref('ListedChange'), description: 'In the order of the list.' },
      refused: { type: 'array', items: ref('RefusedLine'), description: 'None unless it is a dry run.' },
    },
    required: ['dryRun', 'added', 'changed', 'same', 'changes', 'refused'],
  },
  ListedChange: {
    type: 'object',
    properties: { line, id: ref('TallyId'), before: orNull('Name'), after: ref('Name') },
    required: ['line', 'id', 'before', 'after'],
  },
  RefusedLine: {
    type: 'object',
    properties: {
      line,
      code: { type: 'string', description: 'Stable.' },
      message: { type: 'string', description: 'For people: what is wrong, and what is allowed.' },
    },
    required: ['line', 'code', 'message'],
  },
  Unnamed: {
    type: 'array',
    items: ref('UnnamedTag'),
    maxItems: UNNAMED_MAX_TAGS,
    description: 'The latest first.',
  },
  UnnamedTag: {
    type: 'object',
    properties: {
      id: ref('TallyId'),
      at: { ...ref('Timestamp'), description: 'The latest scan.' },
      day: { ...ref('Day'), description: 'Its day.' },
      scans: { type: 'integer', minimum: 1, description: 'Number of scans on the days that were looked at.' },
      reader: {
        type: 'string',
        description: 'Of the latest scan; absent if that is not among the latest changes of the journal.',
      },
    },
    required: ['id', 'at', 'day', 'scans'],
  },
  NewMapping: {
    type: 'object',
    properties: {
      id: {
        type: 'string',
        pattern: '^[0-9A-Fa-f]{2}(?:[ :-]?[0-9A-Fa-f]{2}){2,9}$',
        description: 'A TallyId in either case, with or without ":", "-" or a space between bytes.',
        examples: ['04:a2:b3:c4:d5'],
      },
      name: ref('Name'),
    },
    required: ['id', 'name'],
  },
  Day: {
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: DAY_MAX,
    description: 'Calendar days since 1970-01-01.',
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
  AttendanceDay: {
    type: 'object',
    properties: {
      date: ref('Day'),
      ids: {
        type: 'array',
        items: ref('TallyId'),
        uniqueItems: true,
        description: 'Who was there, in the order of the first scan.',
      },
      entries: {
        type: 'array',
        items: ref('Entry'),
        description:
          'Present with `expand=entries`: in the order of `ids`, then those of which no scan counts.',
      },
    },
    required: ['date', 'ids'],
  },
  Entry: {
    type: 'object',
    properties: {
      id: ref('TallyId'),
      first: ref('Timestamp'),
      last: ref('Timestamp'),
      count: { type: 'integer', minimum: 1, description: 'Number of scans.' },
      isVoided: {
        const: true,
        description:
          'No scan of it counts: all are void, or wait for approval. It is not among `ids`; its fields are what would be there.',
      },
      corrections: {
        type: 'array',
        items: ref('Correction'),
        minItems: 1,
        description: 'What was corrected, whatever became of it, ascending by number. Absent if nothing was.',
      },
    },
    required: ['id', 'first', 'last', 'count'],
  },
  Days: { type: 'array', items: ref('Day'), uniqueItems: true, description: 'Ascending.' },
  Table: {
    type: 'object',
    properties: {
      days: { ...ref('Days'), description: 'The days of the range that have a record, ascending.' },
      people: {
        type: 'array',
        items: ref('Person'),
        description:
          'Who has a name, or was there without one: by last and first name, then the tags without a name by id.',
      },
    },
    required: ['days', 'people'],
  },
  Code: {
    type: 'string',
    pattern: '^P[2-9A-HJ-NP-TV-Z]{9}$',
    description: 'Stands for a person where `pseudonyms` are asked for.',
  },
  Person: {
    type: 'object',
    description: 'All tags of the same name; or one tag without a name.',
    properties: {
      name: orNull('Name'),
      ids: {
        type: 'array',
        items: { anyOf: [ref('TallyId'), ref('Code')] },
        minItems: 1,
        description: 'Ascending.',
      },
      days: {
        type: 'object',
        description: 'The days on which one of the tags was read, by their number.',
        additionalProperties: ref('Presence'),
      },
    },
    required: ['name', 'ids', 'days'],
  },
  Presence: {
    type: 'object',
    description: 'One day of a person, all tags taken together.',
    properties: {
      first: ref('Timestamp'),
      last: ref('Timestamp'),
      scans: { type: 'integer', minimum: 1, description: 'Number of scans.' },
    },
    required: ['first', 'last', 'scans'],
    examples: [{ first: 1_763_510_400, last: 1_763_539_200, scans: 2 }],
  },
  Attendance: {
    type: 'object',
    description: 'The data of an `attendance` event.',
    properties: {
      id: ref('TallyId'),
      day: { ...orNull('Day'), description: 'null if it is provisional.' },
      at: { ...orNull('Timestamp'), description: 'null if it is provisional.' },
      outcome: { enum: ['counted', 'already-counted', 'provisional'] },
      name: orNull('Name'),
      reader: { type: ['string', 'null'], description: 'null if whoever recorded it did not say.' },
      sequence: { ...ref('Sequence'), description: 'Present if it is provisional.' },
      filed: {
        type: 'object',
        description: 'Present if the scan was provisional before.',
        properties: { sequence: ref('Sequence'), estimate: ref('Estimate') },
        required: ['sequence'],
      },
    },
    required: ['id', 'day', 'at', 'outcome', 'name', 'reader'],
  },
  Failed: {
    type: 'object',
    description: 'The data of a `failed` event.',
    properties: {
      id: ref('TallyId'),
      reader: { type: 'string' },
      isKept: {
        type: 'boolean',
        description: 'Whether it is kept in memory, to be written later; its `attendance` follows then.',
      },
    },
    required: ['id', 'reader', 'isKept'],
  },
  ...correctionSchemas,
  DayChange: {
    type: 'object',
    description: 'The data of a `day` event: what became of the record of a day, but for scans.',
    properties: {
      day: ref('Day'),
      change: {
        enum: ['removed', 'merged', 'corrected'],
        description:
          'The record was removed, entries of a backup were merged into it, or scans were added or voided.',
      },
    },
    required: ['day', 'change'],
  },
  Reset: {
    type: 'object',
    description: 'The data of a `reset` event: changes may be missing before it, so read the record again.',
    properties: {
      reason: {
        enum: ['unknown', 'too-old', 'ahead', 'repaired', 'erased'],
        description:
          'The Last-Event-ID is none of this store, too old or ahead of the store; a damaged store was repaired; or a person was erased from all days.',
      },
    },
    required: ['reason'],
  },
  Sequence: {
    type: 'integer',
    minimum: 1,
    description: 'Place of a provisional scan in the order of taking.',
  },
  Estimate: {
    type: 'object',
    description: 'The time is the best guess between these two; absent if it is known.',
    properties: { earliest: ref('Timestamp'), latest: ref('Timestamp') },
    required: ['earliest', 'latest'],
  },
  Time: {
    type: 'object',
    properties: {
      time: ref('Timestamp'),
      day: {
        ...ref('Day'),
        description: 'The day that it is, in the zone and with the day start of the service.',
      },
      zone: { type: 'string', description: 'The IANA time zone of the days.', examples: ['Europe/Berlin'] },
      dayStart: {
        type: 'string',
        description: 'The time of day at which a day begins, in the zone.',
        examples: ['04:00'],
      },
      isTrusted: { type: 'boolean', description: 'If not, scans are provisional.' },
      basis: { enum: ['synchronised', 'set', 'assumed'], description: 'Why it is trusted.' },
      doubt: {
        enum: ['before-build', 'not-synchronised', 'before-last-scan'],
        description: 'Why it is not trusted.',
      },
      latestScan: { ...orNull('Timestamp'), description: 'The latest scan that is recorded.' },
      suspectScan: {
        ...ref('Timestamp'),
        description: 'A later one that lies so far ahead that it is not believed; absent if there is none.',
      },
    },
    required: ['time', 'day', 'zone', 'dayStart', 'isTrusted', 'latestScan'],
    oneOf: [
      { properties: { isTrusted: { const: true } }, required: ['basis'] },
      { properties: { isTrusted: { const: false } }, required: ['doubt'] },
    ],
  },
  NewTime: {
    type: ['object', 'integer'],
    description: 'The number alone is enough where nothing has to be confirmed.',
    minimum: 0,
    maximum: TIME_MAX_SECONDS * 1000,
    properties: {
      time: {
        type: ['integer', 'string'],
        minimum: 0,
        maximum: TIME_MAX_SECONDS * 1000,
        pattern: '^[0-9]+$',
        description: `Seconds since 1970-01-01T00:00:00Z; milliseconds if it is larger than ${TIME_MAX_SECONDS}.`,
        examples: [1_795_261_234, '1795261234000'],
      },
      confirm: {
        type: 'boolean',
        description: 'true: it is meant, though it is more than a day after the latest scan and the release.',
      },
    },
    required: ['time'],
  },
  Today: {
    type: 'object',
    properties: {
      now: ref('Time'),
      entries: {
        type: 'array',
        items: ref('Entry'),
        description:
          'Who is here on the `day` of `now`: in the order of the first scan, then those of which no scan counts.',
      },
      waiting: {
        type: 'array',
        items: ref('WaitingScan'),
        description:
          'Scans whose day is not known yet, in the order of taking. None for who sees no more than today.',
      },
    },
    required: ['now', 'entries', 'waiting'],
  },
  WaitingScan: {
    type: 'object',
    properties: {
      sequence: ref('Sequence'),
      id: ref('TallyId'),
      reader: { type: 'string' },
      shown: { ...ref('Timestamp'), description: 'What the clock showed that is not trusted.' },
      notBefore: {
        ...ref('Timestamp'),
        description: 'The latest scan that was recorded before; 0 if there was none.',
      },
    },
    required: ['sequence', 'id', 'reader', 'shown', 'notBefore'],
  },
  Provisional: {
    type: 'object',
    properties: {
      waiting: {
        type: 'array',
        description: 'Scans whose day and time are not known yet, in the order of taking.',
        items: ref('WaitingScan'),
      },
      estimated: {
        type: 'array',
        description: 'Scans that are recorded under a time that is only guessed.',
        items: {
          type: 'object',
          properties: {
            sequence: ref('Sequence'),
            id: ref('TallyId'),
            reader: { type: 'string' },
            day: ref('Day'),
            at: ref('Timestamp'),
            earliest: ref('Timestamp'),
            latest: ref('Timestamp'),
          },
          required: ['sequence', 'id', 'reader', 'day', 'at', 'earliest', 'latest'],
        },
      },
    },
    required: ['waiting', 'estimated'],
  },
  Backlog: {
    type: 'object',
    properties: {
      waiting: { type: 'integer', minimum: 0, description: 'Scans in memory that could not be written yet.' },
      limit: { type: 'integer', minimum: 0, description: 'Most that may wait.' },
      refused: {
        type: 'integer',
        minimum: 0,
        description: 'How many found no place since the backlog was last empty, and are lost.',
      },
    },
    required: ['waiting', 'limit', 'refused'],
  },
  Status: {
    type: 'object',
    description: 'How the program itself is doing.',
    properties: {
      version: { type: 'string', description: 'Of the program.' },
      startedAt: { ...ref('Timestamp'), description: 'When the service was started, by its present clock.' },
      storage: {
        oneOf: [ref('Storage'), { type: 'null' }],
        description: 'null if nothing is kept on a disk.',
      },
      publishers: {
        type: 'array',
        items: ref('Publisher'),
        description: 'In the order of the configuration.',
      },
      upstream: {
        oneOf: [ref('Upstream'), { type: 'null' }],
        description: 'How far what is recorded has come to a centre; null if it is sent to none.',
      },
    },
    required: ['version', 'startedAt', 'storage', 'publishers', 'upstream'],
  },
  Storage: {
    type: 'object',
    description: 'In bytes; null where the file system does not tell.',
    properties: {
      freeBytes: { type: ['integer', 'null'], minimum: 0, description: 'What may still be written.' },
      usedBytes: { type: ['integer', 'null'], minimum: 0, description: 'What the files of the store take.' },
    },
    required: ['freeBytes', 'usedBytes'],
  },
  Publisher: {
    type: 'object',
    description: 'How a publisher is doing.',
    properties: {
      name: { type: 'string' },
      connection: {
        enum: ['connected', 'waiting'],
        description:
          '`waiting`: its receiver, such as a broker, is not there or does not take what it gets, and is tried again and again.',
      },
      waiting: {
        type: 'integer',
        minimum: 0,
        description: 'How many changes wait to be published, at most.',
      },
      lastFault: { oneOf: [ref('Fault'), { type: 'null' }] },
    },
    required: ['name', 'connection', 'waiting', 'lastFault'],
  },
  Fault: {
    type: 'object',
    description: 'The latest since the start.',
    properties: {
      code: { type: 'string', description: 'Stable.' },
      message: { type: 'string', description: 'For people: what happened, and what to do.' },
      at: ref('Timestamp'),
    },
    required: ['code', 'message', 'at'],
  },
  Readers: { type: 'array', items: ref('Reader'), description: 'In the order of the configuration.' },
  Reader: {
    type: 'object',
    description: 'How a reader fares since the service was started.',
    properties: {
      name: { type: 'string' },
      kind: { type: ['string', 'null'], description: 'What kind of device it is, such as `serial`.' },
      connection: {
        enum: ['connected', 'waiting'],
        description: '`waiting`: its device is not there, and is tried again and again.',
      },
      since: { ...ref('Timestamp'), description: 'Since when the connection is what it is.' },
      faultySince: {
        ...orNull('Timestamp'),
        description:
          'The first fault after which it neither read anything nor was connected anew; null if it is well.',
      },
      lastReading: { ...orNull('Timestamp'), description: 'When it read a tag last.' },
      faults: {
        type: 'object',
        description: 'How many faults there were, by their code.',
        additionalProperties: { type: 'integer', minimum: 1 },
      },
      lastFault: {
        oneOf: [ref('Fault'), { type: 'null' }],
      },
    },
    required: ['name', 'kind', 'connection', 'since', 'faultySince', 'lastReading', 'faults', 'lastFault'],
    examples: [
      {
        name: 'door',
        kind: 'serial',
        connection: 'waiting',
        since: 1_763_541_000,
        faultySince: 1_763_541_000,
        lastReading: 1_763_540_400,
        faults: { READER_DISCONNECTED: 1 },
        lastFault: {
          code: 'READER_DISCONNECTED',
          message: '/dev/ttyUSB0 was lost; plug the reader in again',
          at: 1_763_541_000,
        },
      },
    ],
  },
  ...pushSchemas,
  ...accessSchemas,
  ...passkeySchemas,
  ...personalSchemas,
  ...healthSchemas,
  ...syncSchemas,
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details.',
    properties: {
      type: { const: 'about:blank' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string', description: 'Stable; absent if the request was wrong as HTTP.' },
      roles: {
        type: 'array',
        items: { type: 'string' },
        description: 'Roles that may do it. Present with `NOT_ALLOWED` if one of these would do.',
      },
      refused: {
        type: 'array',
        items: ref('RefusedLine'),
        description: 'Lines that are at fault. Present with `INVALID_NAME_LIST` only.',
      },
      acked: { type: 'integer', description: 'As in PushResults. Present if readings were not kept.' },
      results: { type: 'array', items: { type: 'object' }, description: 'As in PushResults.' },
      expected: {
        type: 'integer',
        description: 'How far what is here goes. Present with `SYNC_GAP` only.',
      },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
};

function orNull(name: string): Schema {
  return { oneOf: [ref(name), { type: 'null' }] };
}
