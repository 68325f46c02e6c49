import type {
  AttendanceDay,
  Day,
  Name,
  ProvisionalScan,
  Snapshot,
  SnapshotSource,
  TallyId,
} from '@tallybook/domain';
import { createMapping, DAY_MAX } from '@tallybook/domain';
import type { MemoryDays } from './memory-day-store.js';
import { noProvisionalScans, type MemoryProvisionalScans } from './memory-provisional-store.js';

/** What memory stores hold, as they were given it. */
export interface MemoryContents {
  readonly names: ReadonlyMap<TallyId, Name>;
  readonly days: MemoryDays;
  readonly scans?: MemoryProvisionalScans;
}

/** Snapshots of memory stores: copies, which do not care whether the stores are open. */
export class MemorySnapshotSource implements SnapshotSource {
  readonly #contents: MemoryContents;

  constructor(contents: MemoryContents) {
    this.#contents = contents;
  }

  take(): Promise<Snapshot> {
    const { names, days, scans = noProvisionalScans() } = this.#contents;
    const mapping = createMapping(names);
    const records = copyDays(days);
    const provisional: readonly ProvisionalScan[] = [...scans.bySequence.values()];
    return Promise.resolve({
      names: () => each(mapping),
      days: (from = 0 as Day, to = DAY_MAX) => each(records.filter(({ day }) => day >= from && day <= to)),
      provisional: () => each(provisional),
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

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
