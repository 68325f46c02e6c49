import {
  addScan,
  mergeEntries,
  type AttendanceDay,
  type Day,
  type DayStore,
  type Entry,
  type RecordOutcome,
  type Revision,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { MemoryJournal } from './memory-journal.js';
import { MemoryStore } from './memory-store.js';

/** Data of one tag on one day in a {@link MemoryDayStore}. */
export interface MemoryEntry {
  entry: Entry;
  /** The seconds of the single known scans. */
  readonly scans: Set<Timestamp>;
}

/** The tags of each day, in the order of recording. */
export type MemoryDays = Map<Day, Map<TallyId, MemoryEntry>>;

/** A {@link DayStore} in memory. Its data lives as long as the given `days`. */
export class MemoryDayStore extends MemoryStore implements DayStore {
  readonly #days: MemoryDays;
  readonly #journal: MemoryJournal | undefined;
  readonly #dayRevisions = new Map<Day, number>();
  #listRevision = 0;

  /** @param journal Gets each change. */
  constructor(days: MemoryDays = new Map(), journal?: MemoryJournal) {
    super();
    this.#days = days;
    this.#journal = journal;
  }

  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    return this.run(() => {
      const known = this.#days.get(day)?.get(id);
      const outcome = known === undefined ? 'counted' : 'already-counted';
      if (known?.scans.has(at) !== true) {
        this.#keep(day, addScan(known?.entry, id, at), [at]);
        const filed = source?.filed === undefined ? {} : { filed: source.filed };
        this.#journal?.append({ kind: 'scan', day, id, at, reader: source?.reader, outcome, ...filed });
      }
      return Promise.resolve(outcome);
    });
  }

  merge(day: Day, entries: readonly Entry[]): Promise<void> {
    return this.run(() => {
      const changed = entries.filter((entry) => this.#mergeOne(day, entry));
      if (changed.length > 0) this.#journal?.append({ kind: 'day', day, action: 'merged' });
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

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.run(() => Promise.resolve(scansOf(this.#days, day, id)));
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
      const wasThere = this.#days.delete(day);
      if (wasThere) {
        this.#journal?.forget((change) => change.kind === 'scan' && change.day === day);
        this.#journal?.append({ kind: 'day', day, action: 'removed' });
      }
      return Promise.resolve(wasThere);
    });
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#dayRevisions.get(day) ?? 0)));
  }

  listRevision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#listRevision)));
  }

  /** The entries of a tag, by day, ascending. For {@link MemoryErasureStore}. */
  entriesOf(id: TallyId): readonly (readonly [day: Day, entry: MemoryEntry])[] {
    return [...this.#days]
      .sort(([a], [b]) => a - b)
      .flatMap(([day, record]) => {
        const entry = record.get(id);
        return entry === undefined ? [] : [[day, entry] as const];
      });
  }

  /** All tags with an entry; some may occur several times. For {@link MemoryErasureStore}. */
  tags(): readonly TallyId[] {
    return [...this.#days.values()].flatMap((record) => [...record.keys()]);
  }

  /** Erases scans of a tag, without a change in the journal. For {@link MemoryErasureStore}. */
  erase(id: TallyId, isGone: (at: Timestamp) => boolean): void {
    for (const [day, { scans }] of this.entriesOf(id)) {
      const left = [...scans].filter((at) => !isGone(at)).sort((a, b) => a - b);
      if (left.length === scans.size) continue;
      const record = this.#days.get(day);
      const [first, last = first] = [left[0], left.at(-1)];
      if (first !== undefined && last !== undefined) {
        record?.set(id, { entry: { id, first, last, count: left.length }, scans: new Set(left) });
      } else {
        record?.delete(id);
        if (record?.size === 0) {
          this.#days.delete(day);
          this.#listRevision++;
        }
      }
      this.#touch(day);
    }
  }

  /** Merges an entry, and returns whether the day changed. */
  #mergeOne(day: Day, other: Entry): boolean {
    const known = this.#days.get(day)?.get(other.id);
    const merged = mergeEntries(known?.entry, other);
    const scans = [other.first, other.last];
    const isKnown = known !== undefined && scans.every((at) => known.scans.has(at));
    if (isKnown && isSameEntry(known.entry, merged)) return false;
    this.#keep(day, merged, scans);
    return true;
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

/** The seconds of the single known scans of a tag on a day, ascending. */
export function scansOf(days: MemoryDays, day: Day, id: TallyId): readonly Timestamp[] {
  return [...(days.get(day)?.get(id)?.scans ?? [])].sort((a, b) => a - b);
}

function isSameEntry(one: Entry, other: Entry): boolean {
  return one.first === other.first && one.last === other.last && one.count === other.count;
}
