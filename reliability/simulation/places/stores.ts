import type { Change, Day, DetailedEntry, PersonId, Refusals, TallyId, Timestamp } from '@tallybook/domain';
import type { Erasure, ErasureRequest } from '@tallybook/domain/record';
import type { StampedName } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import {
  MemoryDayStore,
  MemoryErasures,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryPeopleStore,
  MemoryProvisionalStore,
  MemorySnapshotSource,
  MemoryStationStore,
} from '@tallybook/store-memory';
import type { Random } from '../../random.js';
import type { WrittenPeople } from '../judging/people-writes.js';
import type { Disk } from '../virtual/disk.js';
import { entriesAfter, LateCorrectionStore, LateStampedNames, type LateErasures } from './late-erasures.js';
import { keepPositions, type Storage } from './storage.js';

/** Sees each write at the moment when it happens. */
export interface Watcher {
  changed(change: Change): void;
  /** A name was given or removed here. */
  named(name: StampedName): void;
  /** Persons or timelines were written here. */
  peopled(written: WrittenPeople): void;
  /** The erasure of persons was requested. `isDone` resolves with whether it is certain. */
  erasing(request: ErasureRequest, isDone: Promise<boolean>): void;
  /** Entries were merged into a day. */
  imported(day: Day, entries: readonly DetailedEntry[]): void;
}

/** The stores of one run of a program, on its disk. */
export type Stores = ReturnType<typeof openStores>;

class WatchedJournal extends MemoryJournal {
  readonly #storage: Storage;
  readonly #watcher: Watcher;

  constructor(storage: Storage, watcher: Watcher) {
    super(storage.changes);
    this.#storage = storage;
    this.#watcher = watcher;
  }

  override append(...changes: readonly Change[]): void {
    keepPositions(this.#storage);
    // The watcher is called after the write, and sees the written state.
    for (const change of changes) this.#watcher.changed(change);
    super.append(...changes);
  }
}

class WatchedMappingStore extends MemoryMappingStore {
  readonly #watcher: Watcher;

  constructor(storage: Storage, journal: MemoryJournal, source: StampSource, watcher: Watcher) {
    super(storage.names, journal, {
      ...{ stamps: storage.stamps, source, timelines: storage.people.timelines },
    });
    this.#watcher = watcher;
  }

  override put(...args: Parameters<MemoryMappingStore['put']>): ReturnType<MemoryMappingStore['put']> {
    const outcome = super.put(...args);
    this.#tell(args[0]);
    return outcome;
  }

  override remove(id: TallyId): Promise<boolean> {
    const had = this.nameOf(id) !== undefined;
    const outcome = super.remove(id);
    if (had) this.#tell(id);
    return outcome;
  }

  #tell(id: TallyId): void {
    const stamped = this.stampedOf(id);
    if (this.status === 'open' && stamped !== undefined) this.#watcher.named(stamped);
  }
}

class WatchedPeopleStore extends MemoryPeopleStore {
  readonly #people: Storage['people'];
  readonly #watcher: Watcher;
  readonly #random: Random;

  constructor(
    { people }: Storage,
    parts: ConstructorParameters<typeof MemoryPeopleStore>[1],
    watcher: Watcher,
    random: Random,
  ) {
    super(people, parts);
    this.#people = people;
    this.#watcher = watcher;
    this.#random = random;
  }

  /** The seed fixes it. */
  override newId(): PersonId {
    const digits = Array.from({ length: 14 }, () => this.#random.between(0, 15).toString(16));
    return digits.join('').toUpperCase() as PersonId;
  }

  override write(...args: Parameters<MemoryPeopleStore['write']>): ReturnType<MemoryPeopleStore['write']> {
    const outcome = super.write(...args);
    const [{ persons, timelines, groups }] = args;
    // A write that was refused leaves the rows of before.
    const isWritten =
      [...persons].every(([id, row]) => this.#people.persons.get(id) === row) &&
      [...timelines].every(([tag, row]) => this.#people.timelines.get(tag) === row) &&
      [...groups].every(([id, row]) => this.#people.groups.get(id) === row);
    if (isWritten)
      this.#watcher.peopled({
        persons: [...persons.values()].flatMap((row) => row ?? []),
        timelines: [...timelines.values()].flatMap((row) => row ?? []),
        groups: [...groups.values()].flatMap((row) => row ?? []),
      });
    return outcome;
  }
}

class WatchedDayStore extends MemoryDayStore {
  readonly #watcher: Watcher;
  readonly #late: LateErasures;

  constructor(storage: Storage, journal: MemoryJournal, watcher: Watcher, late: LateErasures) {
    super(storage.days, journal);
    this.#watcher = watcher;
    this.#late = late;
  }

  override record(...args: Parameters<MemoryDayStore['record']>): ReturnType<MemoryDayStore['record']> {
    const [, id, at] = args;
    return this.#late(id, at) ? Promise.resolve('already-counted') : super.record(...args);
  }

  override merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    const left = entriesAfter(entries, this.#late);
    this.#watcher.imported(day, left);
    return super.merge(day, left);
  }
}

/** Knows an erasure from the moment of its request, as the port promises. */
class EagerErasureStore extends MemoryErasureStore {
  readonly #asked = new Set<Refusals>();

  /** @param result Rejects if nobody was erased, or if that is unknown. */
  askToErase({ ids, until }: ErasureRequest, result: Promise<unknown>): void {
    this.#ask({ isRefused: (id, at) => ids.includes(id) && (at === undefined || at <= until) }, result);
  }

  /** @param result Rejects if no erasure was added, or if that is unknown. */
  askToAdd(erasures: readonly Erasure[], result: Promise<unknown>): void {
    this.#ask(new MemoryErasures(erasures.map((erasure) => ({ ...erasure, state: 'begun' }))), result);
  }

  override isRefused(id: TallyId, at: Timestamp | undefined): boolean {
    return super.isRefused(id, at) || [...this.#asked].some((asked) => asked.isRefused(id, at));
  }

  #ask(asked: Refusals, result: Promise<unknown>): void {
    this.#asked.add(asked);
    const forget = (): void => void this.#asked.delete(asked);
    // When it has ended, the store itself keeps it.
    result.then(forget, forget);
  }
}

/**
 * Opens stores on the data of a machine. The stores are in memory and answer at once; the disk around them takes
 * time.
 */
export function openStores(
  storage: Storage,
  {
    disk,
    source,
    watcher,
    random,
    isShared = false,
  }: {
    readonly disk: Disk;
    readonly source: StampSource;
    readonly watcher: Watcher;
    /** Gives the ids of new persons. */
    readonly random: Random;
    /** Whether other servers write the same data too. Default: false. */
    readonly isShared?: boolean;
  },
) {
  const journal = new WatchedJournal(storage, watcher);
  const mapping = new WatchedMappingStore(storage, journal, source, watcher);
  const people = new WatchedPeopleStore(storage, { mapping, journal, source }, watcher, random);
  const late: LateErasures = (id, at) => isShared && kept.isRefused(id, at);
  const days = new WatchedDayStore(storage, journal, watcher, late);
  const provisional = new MemoryProvisionalStore(storage.scans, journal);
  const corrections = new LateCorrectionStore(storage.corrections, journal, late);
  const erasures = new EagerErasureStore(
    { mapping, people, days, provisional, corrections, journal },
    storage.erasures,
  );
  const kept = new MemoryErasureStore({ mapping, days }, storage.erasures);
  const stampedNames = new LateStampedNames(mapping, late);
  const stations = new MemoryStationStore(storage.stations);
  return {
    journal: disk.holding(journal),
    mapping: disk.holding(mapping),
    people: disk.holding(people),
    days: disk.holding(days),
    provisional: disk.holding(provisional),
    corrections: disk.holding(corrections),
    erasures: disk.holding(erasures, (operation, [request], result) => {
      if (operation === 'erase') {
        erasures.askToErase(request as ErasureRequest, result);
        watcher.erasing(request as ErasureRequest, isFulfilled(result));
      }
      if (operation === 'add') erasures.askToAdd(request as readonly Erasure[], result);
    }),
    stampedNames: disk.holding(stampedNames),
    stations: disk.holding(stations),
    snapshots: new MemorySnapshotSource(storage),
    /** Open them in this order. */
    all: [
      journal,
      mapping,
      people,
      days,
      provisional,
      corrections,
      erasures,
      stampedNames,
      stations,
    ] as const,
  };
}

function isFulfilled(result: Promise<unknown>): Promise<boolean> {
  return result.then(
    () => true,
    () => false,
  );
}
