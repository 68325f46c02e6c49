import { openAll, type Name, type TallyId, type Timestamp } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import {
  MemoryDayStore,
  MemoryErasures,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryStampedNames,
  noChanges,
  type MemoryErasureParts,
  type MemoryStamps,
  type StampedNamesStores,
  type StampedNamesSubject,
} from '@tallybook/testing';

/** Names with stamps in memory, and their stores. Sabotage overrides the methods that make them. */
export class StampedWorld {
  readonly changes = noChanges();
  readonly names = new Map<TallyId, Name>();
  readonly stamps: MemoryStamps = new Map();
  readonly erased = new MemoryErasures();
  #close = (): Promise<void> => Promise.resolve();

  async subject(first: StampSource | undefined): Promise<StampedNamesSubject> {
    const open = async (source: StampSource | undefined): Promise<StampedNamesStores> => {
      await this.#close();
      const journal = new MemoryJournal(this.changes);
      const mapping = this.mapping(journal, source);
      const days = new MemoryDayStore(new Map(), journal);
      const stores = {
        ...{ journal, mapping, days, stamped: this.stamped(mapping) },
        erasures: this.erasures({ mapping, days, journal }),
      };
      const restore = mapping.restore.bind(mapping);
      mapping.restore = async (id, name, knownAt) =>
        this.isErased(id, knownAt, stores.erasures) ? 'erased' : restore(id, name, knownAt);
      const opened = await openAll(Object.values(stores));
      this.#close = () => opened.close();
      return stores;
    };
    return { ...(await open(first)), restart: open, cleanup: () => this.#close() };
  }

  /** Whether a name of a backup belongs to a person who was erased since. */
  isErased(id: TallyId, knownAt: Timestamp | undefined, erasures: MemoryErasureStore): boolean {
    return erasures.isRefused(id, knownAt);
  }

  mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
    return new MemoryMappingStore(this.names, journal, { stamps: this.stamps, ...(source && { source }) });
  }

  erasures(parts: MemoryErasureParts): MemoryErasureStore {
    return new MemoryErasureStore(parts, this.erased);
  }

  stamped(mapping: MemoryMappingStore): MemoryStampedNames {
    return new MemoryStampedNames(mapping);
  }
}
