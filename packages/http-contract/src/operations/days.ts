import {
  array,
  component,
  described,
  integer,
  named,
  object,
  oneOf,
  optional,
  boolean,
  orNull,
  string,
  type TypeOf,
} from '../schema.js';
import { cached, empty, json, tooManyReads, operation, refusal } from '../operation.js';
import { Day, GroupId, ofDays, ofGroup, ofOneDay, PersonId, TallyId, Timestamp } from '../values.js';
import { Name } from './names.js';
import { Correction } from './corrections.js';
import { Time } from './time.js';

export const Entry = component('Entry', {
  id: TallyId,
  first: Timestamp,
  last: Timestamp,
  count: integer({ minimum: 1, description: 'Number of scans.' }),
  isVoided: optional(
    oneOf(
      [true],
      'No scan of the entry counts: all are void, or wait for approval. The tag is not in `ids`. The other fields have the values before the corrections.',
    ),
  ),
  corrections: optional(
    array(Correction, {
      minItems: 1,
      description: 'Corrections in any state, ascending by number. Absent if there are none.',
    }),
  ),
});
export type Entry = TypeOf<typeof Entry>;

const ids = array(TallyId, {
  uniqueItems: true,
  description: 'The tags of the day, in the order of the first scan.',
});

const AttendanceDay = component('AttendanceDay', { date: Day, ids });
export type AttendanceDay = TypeOf<typeof AttendanceDay>;

const DetailedDay = component('DetailedDay', {
  date: Day,
  ids,
  entries: array(Entry, 'In the order of `ids`, then entries without a scan that counts.'),
});
export type DetailedDay = TypeOf<typeof DetailedDay>;

export const sequence = named(
  'Sequence',
  integer({ minimum: 1, description: 'Number of a provisional scan, in the order of the taps.' }),
);

export const WaitingScan = component('WaitingScan', {
  sequence,
  id: TallyId,
  reader: string(),
  shown: described(Timestamp, 'The time that the untrusted clock showed.'),
  notBefore: described(
    Timestamp,
    'The earliest possible time: the latest scan recorded before, or the release of the program.',
  ),
});
export type WaitingScan = TypeOf<typeof WaitingScan>;

const TodayPerson = component(
  'TodayPerson',
  {
    person: PersonId,
    name: orNull(Name),
    groups: array(GroupId, 'The groups that they are in today, ascending.'),
    isGuest: boolean(),
    ids: array(TallyId, 'The tags with which they were here, in the order of the first scan.'),
    first: Timestamp,
    last: Timestamp,
    scans: integer({ minimum: 1, description: 'Number of scans that count.' }),
  },
  'Somebody who is or was here today.',
);
export type TodayPerson = TypeOf<typeof TodayPerson>;

export const Today = component('Today', {
  now: Time,
  entries: array(
    Entry,
    'Entries of the `day` of `now`, in the order of the first scan, then entries without a scan that counts.',
  ),
  people: array(
    TodayPerson,
    'Who was here today, in the order of the first scan. A tap of a lost tag, or of a tag without a holder, is nobody’s.',
  ),
  waiting: array(
    WaitingScan,
    'Scans without a known day, in the order of the taps. Empty for clients that may see only today.',
  ),
});
export type Today = TypeOf<typeof Today>;

const EstimatedScan = object({
  sequence,
  id: TallyId,
  reader: string(),
  day: Day,
  at: Timestamp,
  earliest: Timestamp,
  latest: Timestamp,
});

export const Provisional = component('Provisional', {
  waiting: array(WaitingScan, 'Scans without a known day and time, in the order of the taps.'),
  estimated: array(EstimatedScan, 'Scans that are filed under an estimated time.'),
});
export type Provisional = TypeOf<typeof Provisional>;

export const Backlog = component('Backlog', {
  waiting: integer('Number of scans in memory that are not written yet.'),
  limit: integer('Maximum number of scans that can wait.'),
  refused: integer('Number of scans lost because the backlog was full, since it was last empty.'),
});
export type Backlog = TypeOf<typeof Backlog>;

export const Days = named('Days', array(Day, { uniqueItems: true, description: 'Ascending.' }));

const noSuchDay = refusal('Neither timestamp nor day is given, or the day has no record.');

/** The record of days, and the scans that are not in it yet. */
export const dayOperations = {
  'GET /api/day': operation({
    id: 'readDay',
    summary: 'Who was there on one day',
    action: { 'of today': 'see-today', 'of another day': 'see-record' },
    query: {
      ...ofOneDay,
      expand: optional(
        oneOf(
          ['entries'],
          '`entries` adds the first scan, the last scan and the number of scans of each tag.',
        ),
      ),
    },
    instead: { expand: DetailedDay },
    answers: { ...cached(AttendanceDay, 'The record of the day.'), 404: noSuchDay },
  }),
  'DELETE /api/day': operation({
    id: 'removeDay',
    summary: 'Remove the record of one day for good, for example after taps with a wrong clock',
    action: 'remove-days',
    query: ofOneDay,
    answers: { 204: empty('The record is removed durably.'), 404: noSuchDay },
  }),
  'GET /api/days': operation({
    id: 'listDays',
    summary: 'The days with a record between two timestamps, both days included',
    action: 'see-record',
    query: {
      ...ofDays,
      group: ofGroup(
        'Only the days on which somebody was there who was in this group then. A range has at most as many days as a table.',
      ),
    },
    answers: cached(Days, 'The days; empty if the day of `from` is later than the day of `to`.'),
  }),
  'GET /api/today': operation({
    id: 'readToday',
    summary: 'The time, and who is here today',
    action: 'see-today',
    isByGroup: true,
    query: { group: ofGroup('Only the persons who are in this group today, and the entries of their tags.') },
    answers: { 200: json(Today, 'Today'), 503: tooManyReads },
  }),
  'GET /api/provisional': operation({
    id: 'listProvisional',
    summary: 'The scans taken while the clock was not trusted',
    action: 'see-record',
    answers: { 200: json(Provisional), 503: tooManyReads },
  }),
  'GET /api/backlog': operation({
    id: 'readBacklog',
    summary: 'Number of scans that wait in memory because the store cannot write',
    action: 'see-service',
    answers: { 200: json(Backlog) },
  }),
};
