import {
  DAY_MAX,
  type Day,
  type DayStore,
  type MappingSnapshot,
  type MappingStore,
  type ProvisionalStore,
  type Snapshot,
  type SnapshotSource,
} from '@tallybook/domain';
import { snapshotOf, type CorrectionStore } from '@tallybook/domain/record';

/** Stores without a common snapshot. */
export interface SeparateStores {
  readonly mapping: MappingStore;
  readonly days: DayStore;
  readonly provisional?: ProvisionalStore | undefined;
  readonly corrections?: CorrectionStore | undefined;
}

/**
 * Approximate snapshots of independent stores. Names, provisional scans, corrections and the list of days are read when the
 * snapshot is taken; each day is read when the caller reaches it. So each part is consistent in itself, but not with the other
 * parts. A day that is removed meanwhile is left out.
 */
export class StoresSnapshotSource implements SnapshotSource {
  readonly #stores: SeparateStores;

  constructor(stores: SeparateStores) {
    this.#stores = stores;
  }

  async take(): Promise<Snapshot> {
    const { mapping, days, provisional, corrections } = this.#stores;
    // Before the days: a scan that is filed meanwhile moves to its day. So it may be in the snapshot twice, but is
    // never missing.
    const scans = (await provisional?.list()) ?? [];
    const corrected = (await corrections?.list(0 as Day, DAY_MAX)) ?? [];
    const names = await mapping.snapshot();
    const list = await listAll(days, names);
    return snapshotOf({
      names: (after, limit) => names.page(after, limit),
      days: (from, to) => Promise.resolve(list.filter((day) => day >= from && day <= to)),
      load: (day) => days.load(day),
      details: (day) => days.details(day),
      corrections: (from, to) => corrected.filter(({ day }) => day >= from && day <= to),
      scans: (day, id) => days.scans(day, id),
      provisional: () => Promise.resolve(scans),
      [Symbol.asyncDispose]: () => names[Symbol.asyncDispose](),
    });
  }
}

/** Lists all days. If that fails, it disposes of the names, because the caller cannot. */
async function listAll(days: DayStore, names: MappingSnapshot): Promise<readonly Day[]> {
  try {
    return await days.list(0 as Day, DAY_MAX);
  } catch (error) {
    await names[Symbol.asyncDispose]();
    throw error;
  }
}
