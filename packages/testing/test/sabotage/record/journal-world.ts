import {
  openAll,
  type Change,
  type Day,
  type JournalLimits,
  type Name,
  type PutOutcome,
  type RecordOutcome,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  noChanges,
  noCorrections,
  noProvisionalScans,
  type JournalFaults,
  type JournalStores,
  type JournalSubject,
  type MemoryChanges,
  type MemoryDays,
} from '@tallybook/testing';
import { plant, type Methods } from '../sabotage.js';

/** A journal in memory with its stores, and a disk that can fail. Sabotage overrides the methods that make them. */
export class JournalWorld {
  readonly changes = noChanges();
  readonly names = new Map<TallyId, { readonly first: string; readonly last: string }>();
  readonly contents: MemoryDays = new Map();
  readonly scans = noProvisionalScans();
  readonly kept = noCorrections();
  #failing = false;
  #isLosing = false;
  #held: Promise<void> | undefined;
  #close = (): Promise<void> => Promise.resolve();

  readonly #faults: JournalFaults = {
    failNext: () => {
      this.#failing = true;
      return () => undefined;
    },
    hold: () => {
      let release = (): void => undefined;
      this.#held = new Promise((resolve) => (release = resolve));
      return release;
    },
    loseNextAnswer: () => (this.#isLosing = true),
  };

  async subject(limits: JournalLimits): Promise<JournalSubject> {
    const open = async (): Promise<JournalStores> => {
      await this.#close();
      const journal = this.journal(limits);
      const stores = {
        journal,
        mapping: this.mapping(journal),
        days: this.days(journal),
        provisional: this.provisional(journal),
        corrections: this.corrections(journal),
      };
      const opened = await openAll(Object.values(stores));
      this.#close = () => opened.close();
      return stores;
    };
    return { ...(await open()), restart: open, faults: this.#faults, cleanup: () => this.#close() };
  }

  /** Each write waits for it. */
  async disk(): Promise<void> {
    await this.#held;
    if (!this.#failing) return;
    this.#failing = false;
    throw new Error('no space left');
  }

  /** The answer of a write. A lost answer is replaced by {@link afterLoss}. */
  answer<T>(write: () => Promise<T>): Promise<T> {
    // Without an extra turn: other sabotages are about delays of one turn.
    if (!this.#isLosing) return write();
    this.#isLosing = false;
    return write().then((first) => this.afterLoss({ first, write }));
  }

  /** The store asks what the first answer was. */
  afterLoss<T>({ first }: LostAnswer<T>): Promise<T> {
    return Promise.resolve(first);
  }

  journal(limits: JournalLimits): OpenJournal {
    return new OpenJournal(this.changes, limits);
  }

  mapping(journal: MemoryJournal): MemoryMappingStore {
    return new NamesOnDisk(this, journal);
  }

  days(journal: MemoryJournal): MemoryDayStore {
    return new DaysOnDisk(this, journal);
  }

  provisional(journal: MemoryJournal): MemoryProvisionalStore {
    return new MemoryProvisionalStore(this.scans, journal);
  }

  corrections(journal: MemoryJournal): MemoryCorrectionStore {
    return new MemoryCorrectionStore(this.kept, journal);
  }
}

interface LostAnswer<T> {
  readonly first: T;
  /** Writes the same again. */
  readonly write: () => Promise<T>;
}

export class DaysOnDisk extends MemoryDayStore {
  protected readonly world: JournalWorld;

  constructor(world: JournalWorld, journal?: MemoryJournal) {
    super(world.contents, journal);
    this.world = world;
  }

  override async record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    await this.world.disk();
    return await this.world.answer(() => super.record(day, id, at, source));
  }
}

class NamesOnDisk extends MemoryMappingStore {
  readonly #world: JournalWorld;

  constructor(world: JournalWorld, journal: MemoryJournal) {
    super(world.names, journal);
    this.#world = world;
  }

  override put(id: TallyId, name: Name): Promise<PutOutcome> {
    return this.#world.answer(() => super.put(id, name));
  }

  override remove(id: TallyId): Promise<boolean> {
    return this.#world.answer(() => super.remove(id));
  }
}

/** A journal whose contents a sabotage can access. */
export class OpenJournal extends MemoryJournal {
  readonly kept: MemoryChanges;

  constructor(kept: MemoryChanges = noChanges(), limits: { readonly limit?: number } = {}) {
    super(kept, limits);
    this.kept = kept;
  }
}

/** Another way of a world's journal. */
export function journaling(methods: Methods<OpenJournal>): Pick<Methods<JournalWorld>, 'journal'> {
  return { journal: (sound) => (limits) => plant(sound(limits), methods) };
}

/** The journal gets other changes than the real ones. */
export function told(
  edit: (change: Change, world: JournalWorld) => readonly Change[],
): Pick<Methods<JournalWorld>, 'journal'> {
  return {
    journal: (sound, world) => (limits) =>
      plant(sound(limits), {
        append:
          (append) =>
          (...changes) =>
            append(...changes.flatMap((each) => edit(each, world))),
      }),
  };
}
