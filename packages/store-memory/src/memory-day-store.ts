import {
  addScan,
  ManagedResource,
  mergeEntries,
  type AttendanceDay,
  type Day,
  type DayStore,
  type Entry,
  type RecordOutcome,
  type Revision,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';

/** What {@link MemoryDayStore} keeps of one tag on one day. */
export interface MemoryEntry {
  entry: Entry;
  /** The seconds of the scans that are known one by one. */
  readonly scans: Set<Timestamp>;
}

/** Per day, its tags in the order of recording. */
export type MemoryDays = Map<Day, Map<TallyId, MemoryEntry>>;

/** A {@link DayStore} in memory. What it holds lives as long as the `days` that it was given. */
export class MemoryDayStore extends ManagedResource implements DayStore {
  readonly #days: MemoryDays;
  readonly #dayRevisions = new Map<Day, number>();
  #listRevision = 0;

  constructor(days: MemoryDays = new Map()) {
    super();
    this.#days = days;
  }

  record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    return this.run(() => {
      const known = this.#days.get(day)?.get(id);
      if (known?.scans.has(at) !== true) {
        this.#keep(day, addScan(known?.entry, id, at), [at]);
      }
      return Promise.resolve(known === undefined ? 'counted' : 'already-counted');
    });
  }

  merge(day: Day, entries: readonly Entry[]): Promise<void> {
    return this.run(() => {
      for (const other of entries) {
        const known = this.#days.get(day)?.get(other.id);
        this.#keep(day, mergeEntries(known?.entry, other), [other.first, other.last]);
      }
      return Promise.resolve();
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.run(() => {
      const record = this.#days.get(day);
      if (record === undefined) return Promise.resolve(undefined);
      // Sorting is stable, so entries with the same first scan stay in the order of recording.
      const entries = [...record.values()].map(({ entry }) => entry).sort((a, b) => a.first - b.first);
      return Promise.resolve({ day, entries });
    });
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.run(() => {
      const days = [...this.#days.keys()].filter((day) => day >= from && day <= to);
      return Promise.resolve(days.sort((a, b) => a - b));
    });
  }

  remove(day: Day): Promise<boolean> {
    return this.run(() => {
      this.#listRevision++;
      this.#touch(day);
      return Promise.resolve(this.#days.delete(day));
    });
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#dayRevisions.get(day) ?? 0)));
  }

  listRevision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#listRevision)));
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }

  #keep(day: Day, entry: Entry, scans: readonly Timestamp[]): void {
    let record = this.#days.get(day);
    if (record === undefined) {
      record = new Map();
      this.#days.set(day, record);
      this.#listRevision++;
    }
    const known = record.get(entry.id);
    if (known === undefined) record.set(entry.id, { entry, scans: new Set(scans) });
    else {
      known.entry = entry;
      for (const scan of scans) known.scans.add(scan);
    }
    this.#touch(day);
  }

  #touch(day: Day): void {
    this.#dayRevisions.set(day, (this.#dayRevisions.get(day) ?? 0) + 1);
  }
}
