import type { Day, Name, ProvisionalScan, Snapshot, SnapshotSource, TallyId } from '@tallybook/domain';
import { createMapping, DAY_MAX } from '@tallybook/domain';
import { correctionsOf, noCorrections, type MemoryCorrections } from './memory-correction-store.js';
import { dayOf, detailsOf, scansOf, type MemoryDays, type MemoryEntry } from './memory-day-store.js';
import { noPeople, rowsOf, type MemoryPeople } from './memory-people-store.js';
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
    const [persons, timelines] = [rowsOf(people.persons), rowsOf(people.timelines)];
    const [groups, carried] = [rowsOf(people.groups), rowsOf(people.carried)];
    const mapping = createMapping(names);
    const provisional: readonly ProvisionalScan[] = [...scans.bySequence.values()];
    const corrected = correctionsOf(corrections, 0 as Day, DAY_MAX);
    const records = copyOf(days);
    const within = (from: Day, to: Day): readonly (readonly [Day, Map<TallyId, MemoryEntry>])[] =>
      [...records].filter(([day]) => day >= from && day <= to);
    return Promise.resolve({
      names: () => each(mapping),
      days: (from = 0 as Day, to = DAY_MAX) => each(within(from, to).map((day) => dayOf(...day))),
      details: (from = 0 as Day, to = DAY_MAX) => each(within(from, to).map((day) => detailsOf(...day))),
      corrections: (from = 0 as Day, to = DAY_MAX) =>
        each(corrected.filter(({ day }) => day >= from && day <= to)),
      scans: (day, id) => Promise.resolve(scansOf(records, day, id)),
      provisional: () => each(provisional),
      persons: () => each(persons),
      timelines: () => each(timelines),
      groups: () => each(groups),
      carried: () => each(carried),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  }
}

/** The days, ascending. */
function copyOf(days: MemoryDays): MemoryDays {
  const recordOf = (record: ReadonlyMap<TallyId, MemoryEntry>): Map<TallyId, MemoryEntry> =>
    new Map([...record].map(([id, { entry, scans }]) => [id, { entry, scans: new Map(scans) }]));
  return new Map([...days].sort(([a], [b]) => a - b).map(([day, record]) => [day, recordOf(record)]));
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
