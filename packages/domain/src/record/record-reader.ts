import { carriedKeyOf, type CarriedKey, type CarriedRow } from '../values/people/carried-row.js';
import type { Group } from '../values/people/group.js';
import type { Person, PersonId } from '../values/people/person.js';
import type { Timeline } from '../values/people/timeline.js';
import type { Association } from '../ports/names/mapping-store.js';
import type { Snapshot } from '../ports/record/snapshot-source.js';
import { DAY_MAX, type Day } from '../values/day.js';
import type { AttendanceDay, Entry } from '../values/record/attendance-day.js';
import type { DetailedEntry } from '../values/record/known-scans.js';
import type { Correction } from '../values/record/correction.js';
import type { ProvisionalScan } from '../values/record/provisional.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import { pagesOf } from '../people/people-pages.js';

/** Reads the record as a store held it at one moment, until it is disposed of. */
export interface RecordReader extends AsyncDisposable {
  /** The names after a tag in the order of the ids, at most `limit`; empty only after the last name. */
  names(after: TallyId | undefined, limit: number): Promise<readonly Association[]>;
  /** The days with a record, from one day to another, both included, ascending. */
  days(from: Day, to: Day): Promise<readonly Day[]>;
  load(day: Day): Promise<AttendanceDay | undefined>;
  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined>;
  /** The corrections of the days from one to another, both included, ascending by day and number. */
  corrections(from: Day, to: Day): AsyncIterable<Correction> | Iterable<Correction>;
  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]>;
  /** Ascending by sequence. */
  provisional(): Promise<readonly ProvisionalScan[]>;
  /** The persons after one, as `PeopleStore.persons` gives them. Absent: there is no store of persons. */
  persons?(after: PersonId | undefined, limit: number): Promise<readonly Person[]>;
  /** The timelines after a tag, as `PeopleStore.timelines` gives them. Absent: there is no store of persons. */
  timelines?(after: TallyId | undefined, limit: number): Promise<readonly Timeline[]>;
  /** All groups, as `PeopleStore.groups` gives them. Absent: there is no store of persons. */
  groups?(): Promise<readonly Group[]>;
  /** The carried rows after one, as `PeopleStore.carried` gives them. Absent: there is no store of persons. */
  carried?(after: CarriedKey | undefined, limit: number): Promise<readonly CarriedRow[]>;
}

/** A snapshot over a reader: one page of names and one day are in memory at a time. */
export function snapshotOf(reader: RecordReader): Snapshot {
  const loaded = async function* <E extends Entry>(
    load: (day: Day) => Promise<AttendanceDay<E> | undefined>,
    from = 0 as Day,
    to = DAY_MAX,
  ): AsyncGenerator<AttendanceDay<E>, void, undefined> {
    for (const day of await reader.days(from, to)) {
      const record = await load(day);
      if (record !== undefined) yield record;
    }
  };
  return {
    names: () => rowsOf((after, limit) => reader.names(after, limit), idOfName),
    days: (from, to) => loaded((day) => reader.load(day), from, to),
    details: (from, to) => loaded((day) => reader.details(day), from, to),
    corrections: async function* (from = 0 as Day, to = DAY_MAX) {
      yield* reader.corrections(from, to);
    },
    scans: (day, id) => reader.scans(day, id),
    provisional: async function* () {
      yield* await reader.provisional();
    },
    persons: () => rowsOf(async (after, limit) => (await reader.persons?.(after, limit)) ?? [], idOf),
    timelines: () => rowsOf(async (after, limit) => (await reader.timelines?.(after, limit)) ?? [], tagOf),
    groups: async function* () {
      yield* (await reader.groups?.()) ?? [];
    },
    carried: () => rowsOf(async (after, limit) => (await reader.carried?.(after, limit)) ?? [], carriedKeyOf),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}

async function* rowsOf<Row, Key>(
  read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row, void, undefined> {
  for await (const page of pagesOf(read, keyOf)) yield* page;
}

const idOfName = ([id]: Association): TallyId => id;
const idOf = ({ id }: Person): PersonId => id;
const tagOf = ({ tag }: Timeline): TallyId => tag;
