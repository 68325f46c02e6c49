import {
  addScan,
  mergeEntries,
  type AttendanceDay,
  type Day,
  type DayStore,
  type DetailedEntry,
  type Entry,
  type RecordOutcome,
  type Revision,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { detailedEntry, joinFlags, knownScans, type KnownScan } from '@tallybook/domain/record';
import type { MemoryJournal } from './memory-journal.js';
import { MemoryStore } from './memory-store.js';

/** Data of one tag on one day in a {@link MemoryDayStore}. */
export interface MemoryEntry {
  entry: Entry;
  /** The flags of the single known scans, by their seconds. */
  readonly scans: Map<Timestamp, number>;
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
      const { reader, filed, flags = 0 } = source ?? {};
      const known = this.#days.get(day)?.get(id);
      const outcome = known === undefined ? 'counted' : 'already-counted';
      const before = known?.scans.get(at);
      if (known === undefined || before === undefined) {
        this.#keep(day, addScan(known?.entry, id, at), [{ at, flags }]);
        const given = { ...(filed && { filed }), ...(flags !== 0 && { flags }) };
        this.#journal?.append({ kind: 'scan', day, id, at, reader, outcome, ...given });
      } else if (joinFlags(before, flags) !== before) {
        this.#keep(day, known.entry, [{ at, flags }]);
        this.#journal?.append({ kind: 'day', day, action: 'merged' });
      }
      return Promise.resolve(outcome);
    });
  }

  merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    return this.run(() => {
      const changed = entries.filter((entry) => this.#mergeOne(day, entry));
      if (changed.length > 0) this.#journal?.append({ kind: 'day', day, action: 'merged' });
      return Promise.resolve();
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.run(() => {
      const record = this.#days.get(day);
      return Promise.resolve(record && dayOf(day, record));
    });
  }

  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined> {
    return this.run(() => {
      const record = this.#days.get(day);
      return Promise.resolve(record && detailsOf(day, record));
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
      const left = [...scans].filter(([at]) => !isGone(at)).sort(([a], [b]) => a - b);
      if (left.length === scans.size) continue;
      const record = this.#days.get(day);
      const [first, last] = [left[0]?.[0], left.at(-1)?.[0]];
      if (first !== undefined && last !== undefined) {
        record?.set(id, { entry: { id, first, last, count: left.length }, scans: new Map(left) });
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
  #mergeOne(day: Day, other: DetailedEntry): boolean {
    const known = this.#days.get(day)?.get(other.id);
    const merged = mergeEntries(known?.entry, other);
    const scans = knownScans(other);
    const isKnown = known !== undefined && scans.every((scan) => hasScan(known, scan));
    if (isKnown && isSameEntry(known.entry, merged)) return false;
    this.#keep(day, merged, scans);
    return true;
  }

  #keep(day: Day, entry: Entry, scans: readonly KnownScan[]): void {
    let record = this.#days.get(day);
    if (record === undefined) {
      record = new Map();
      this.#days.set(day, record);
      this.#listRevision++;
    }
    const known = record.get(entry.id) ?? { entry, scans: new Map<Timestamp, number>() };
    known.entry = entry;
    for (const { at, flags } of scans) known.scans.set(at, joinFlags(known.scans.get(at) ?? 0, flags));
    record.set(entry.id, known);
    this.#touch(day);
  }

  #touch(day: Day): void {
    this.#dayRevisions.set(day, (this.#dayRevisions.get(day) ?? 0) + 1);
  }
}

/** The seconds of the single known scans of a tag on a day, ascending. */
export function scansOf(days: MemoryDays, day: Day, id: TallyId): readonly Timestamp[] {
  return [...(days.get(day)?.get(id)?.scans.keys() ?? [])].sort((a, b) => a - b);
}

export function dayOf(day: Day, record: ReadonlyMap<TallyId, MemoryEntry>): AttendanceDay {
  // Sorting is stable, so entries with the same first scan stay in the order of recording.
  const entries = [...record.values()].map(({ entry }) => entry).sort((a, b) => a.first - b.first);
  return { day, entries };
}

/** A day with the known scans of each entry. */
export function detailsOf(day: Day, record: ReadonlyMap<TallyId, MemoryEntry>): AttendanceDay<DetailedEntry> {
  const entries = [...record.values()].sort((a, b) => a.entry.first - b.entry.first);
  return { day, entries: entries.map(({ entry, scans }) => detailedEntry(entry, known(scans))) };
}

function known(scans: ReadonlyMap<Timestamp, number>): readonly KnownScan[] {
  return [...scans].sort(([a], [b]) => a - b).map(([at, flags]) => ({ at, flags }));
}

function hasScan({ scans }: MemoryEntry, { at, flags }: KnownScan): boolean {
  const before = scans.get(at);
  return before !== undefined && joinFlags(before, flags) === before;
}

function isSameEntry(one: Entry, other: Entry): boolean {
  return one.first === other.first && one.last === other.last && one.count === other.count;
}
