import type {
  AttendanceDay,
  Day,
  DetailedEntry,
  Name,
  ProvisionalScan,
  Snapshot,
  SnapshotSource,
  TallyId,
} from '@tallybook/domain';
import { createMapping, DAY_MAX } from '@tallybook/domain';
import { correctionsOf, noCorrections, type MemoryCorrections } from './memory-correction-store.js';
import { detailsOf, scansOf, type MemoryDays, type MemoryEntry } from './memory-day-store.js';
import {
  carriedOf,
  groupsOf,
  noPeople,
  personsOf,
  timelinesOf,
  type MemoryPeople,
} from './memory-people-store.js';
import { noProvisionalScans, type MemoryProvisionalScans } from './memory-provisional-store.js';

/** Data of memory stores, in the form in which they got it. */
export interface MemoryContents {
  readonly names: ReadonlyMap<TallyId, Name>;
  readonly days: MemoryDays;
  readonly scans?: MemoryProvisionalScans;
  readonly corrections?: MemoryCorrections;
  readonly people?: MemoryPeople;
}

/** Snapshots of memory stores. They are copies, so the stores need not be open. */
export class MemorySnapshotSource implements SnapshotSource {
  readonly #contents: MemoryContents;

  constructor(contents: MemoryContents) {
    this.#contents = contents;
  }

  take(): Promise<Snapshot> {
    const { names, days, people = noPeople() } = this.#contents;
    const { scans = noProvisionalScans(), corrections = noCorrections() } = this.#contents;
    const [persons, timelines, groups] = [personsOf(people), timelinesOf(people), groupsOf(people)];
    const carried = carriedOf(people);
    const mapping = createMapping(names);
    const records = copyDays(days);
    const provisional: readonly ProvisionalScan[] = [...scans.bySequence.values()];
    const corrected = correctionsOf(corrections, 0 as Day, DAY_MAX);
    const details = copyDetails(days);
    const seconds = copyScans(days);
    return Promise.resolve({
      names: () => each(mapping),
      days: (from = 0 as Day, to = DAY_MAX) => each(records.filter(({ day }) => day >= from && day <= to)),
      details: (from = 0 as Day, to = DAY_MAX) => each(details.filter(({ day }) => day >= from && day <= to)),
      corrections: (from = 0 as Day, to = DAY_MAX) =>
        each(corrected.filter(({ day }) => day >= from && day <= to)),
      scans: (day, id) => Promise.resolve(scansOf(seconds, day, id)),
      provisional: () => each(provisional),
      persons: () => each(persons),
      timelines: () => each(timelines),
      groups: () => each(groups),
      carried: () => each(carried),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  }
}

function copyDays(days: MemoryDays): readonly AttendanceDay[] {
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([day, record]) => {
      const entries = [...record.values()].map(({ entry }) => entry).sort((a, b) => a.first - b.first);
      return { day, entries };
    });
}

function copyDetails(days: MemoryDays): readonly AttendanceDay<DetailedEntry>[] {
  return [...days].sort(([a], [b]) => a - b).map(([day, record]) => detailsOf(day, record));
}

function copyScans(days: MemoryDays): MemoryDays {
  const copyOf = (record: ReadonlyMap<TallyId, MemoryEntry>): Map<TallyId, MemoryEntry> =>
    new Map([...record].map(([id, { entry, scans }]) => [id, { entry, scans: new Map(scans) }]));
  return new Map([...days].map(([day, record]) => [day, copyOf(record)]));
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
