import {
  boolean,
  component,
  either,
  integer,
  named,
  object,
  oneOf,
  optional,
  orNull,
  string,
  type Schema,
  type TypeOf,
} from '../schema.js';
import { operation, type Answer } from '../operation.js';
import { Day, PersonId, TallyId, Timestamp } from '../values.js';
import { sequence } from './days.js';
import { Name } from './names.js';

const Estimate = component(
  'Estimate',
  { earliest: Timestamp, latest: Timestamp },
  'Bounds of an estimated time. Absent if the time is known.',
);

const ofAttendance = {
  id: TallyId,
  name: orNull(Name, 'The name of who held the tag then.'),
  person: orNull(PersonId, 'Who held the tag then; null: nobody.'),
  holder: optional(oneOf(['lost'], 'Present if the tag was lost then, so that the tap counts for nobody.')),
  reader: orNull(string(), 'null: the reader is unknown.'),
};

const RecordedAttendance = object({
  ...ofAttendance,
  outcome: oneOf(['counted', 'already-counted'], '`counted`: the first scan of the tag on that day.'),
  day: Day,
  at: Timestamp,
  filed: optional(
    object({ sequence, estimate: optional(Estimate) }, 'Present if the scan was provisional before.'),
  ),
});
export type RecordedAttendance = TypeOf<typeof RecordedAttendance>;

const nothing = oneOf([null], 'Unknown while the scan is provisional.');

const ProvisionalAttendance = object({
  ...ofAttendance,
  outcome: oneOf(['provisional']),
  day: nothing,
  at: nothing,
  sequence,
});

const Attendance = named(
  'Attendance',
  either([RecordedAttendance, ProvisionalAttendance], 'The data of an `attendance` event.'),
);
export type Attendance = TypeOf<typeof Attendance>;

const Failed = component(
  'Failed',
  {
    id: TallyId,
    reader: string(),
    isKept: boolean(
      'Whether the scan is kept in memory, to be written later. Then its `attendance` follows.',
    ),
  },
  'The data of a `failed` event.',
);
export type FailedScan = TypeOf<typeof Failed>;

const NameCounts = component(
  'NameCounts',
  { added: integer(), changed: integer(), removed: integer() },
  'The data of a `names` event: the numbers of names that were added, changed and removed.',
);
export type NameCounts = TypeOf<typeof NameCounts>;

const PeopleCounts = component(
  'PeopleCounts',
  { persons: integer(), tags: integer() },
  'The data of a `people` event: the numbers of changes of persons, and of holders of tags.',
);
export type PeopleCounts = TypeOf<typeof PeopleCounts>;

const DayChange = component(
  'DayChange',
  {
    day: Day,
    change: oneOf(
      ['removed', 'merged', 'corrected'],
      'The record was removed, entries of a backup were merged into it, or scans were added or voided.',
    ),
  },
  'The data of a `day` event: a change of the record of a day that is not a scan.',
);
export type DayChange = TypeOf<typeof DayChange>;

const Reset = component(
  'Reset',
  {
    reason: oneOf(
      ['unknown', 'too-old', 'ahead', 'repaired', 'erased'],
      'The Last-Event-ID is of another store (`unknown`), too old, or ahead of the store; a damaged store was repaired; or a person was erased from all days.',
    ),
  },
  'The data of a `reset` event. Earlier changes may be missing, so read the record again.',
);
export type ResetReason = TypeOf<typeof Reset>['reason'];

/** The data of the events of the stream. */
export const eventSchemas: readonly Schema[] = [
  Attendance,
  Failed,
  NameCounts,
  PeopleCounts,
  DayChange,
  Reset,
];

const stream: Answer<never> = {
  description:
    'Server-sent events with data in JSON: Attendance for `attendance`, Failed for `failed`, NameCounts for `names`, PeopleCounts for `people`, DayChange for `day`, and Reset for `reset`. The data of `msg` is a bare TallyId. `msg` and `failed` have no id.',
  content: { 'text/event-stream': { schema: string() } },
};

/** The live stream. */
export const eventOperations = {
  'GET /api/idevent': operation({
    id: 'streamEvents',
    summary:
      'Every tap, live. `msg` with the bare TallyId at once, then `attendance` when the scan is recorded, or `failed`. Also `names` when names change, `people` when persons or holders of tags change, `day` when a day is removed, merged or corrected, and `reset` when changes may be missing',
    action: 'see-today',
    isByGroup: true,
    headers: {
      'Last-Event-ID': optional(
        string(
          'Id of the last event, sent by a client that reconnects. The client gets every change after it, or a `reset` if the service does not have them all.',
        ),
      ),
    },
    answers: { 200: stream },
  }),
};
