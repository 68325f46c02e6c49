import { type Day, DAY_MAX } from '../values/day.js';
import type { DayStore } from '../ports/day-store.js';
import type { MappingStore } from '../ports/mapping-store.js';
import type { ProvisionalStore } from '../ports/provisional-store.js';
import type { Snapshot, SnapshotSource } from '../ports/snapshot-source.js';

/** What is kept, each in a store of its own. */
export interface SeparateStores {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly provisional?: ProvisionalStore;
}

/**
 * Snapshots of stores that know nothing of each other, as good as they can be: names, provisional scans and the list
 * of days are read when the snapshot is taken, each day when its turn comes. So each of them is consistent in itself,
 * but not all of them with each other, and a day that is removed meanwhile is left out.
 */
export class StoresSnapshotSource implements SnapshotSource {
  readonly #stores: SeparateStores;

  constructor(stores: SeparateStores) {
    this.#stores = stores;
  }

  async take(): Promise<Snapshot> {
    const { mapping, days, provisional } = this.#stores;
    // Before the days, because a scan that is filed meanwhile moves to them: better twice than not at all.
    const scans = (await provisional?.list()) ?? [];
    const names = await mapping.read();
    const list = await days.list(0 as Day, DAY_MAX);
    return {
      names: () => each(names),
      days: async function* () {
        for (const day of list) {
          const record = await days.load(day);
          if (record !== undefined) yield record;
        }
      },
      provisional: () => each(scans),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
