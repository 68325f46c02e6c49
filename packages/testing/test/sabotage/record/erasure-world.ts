import { openAll, TallybookError, type Name, type TallyId } from '@tallybook/domain';
import type { Erasure } from '@tallybook/domain/record';
import {
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasures,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryPeopleStore,
  MemoryProvisionalStore,
  MemoryStampedNames,
  noChanges,
  noCorrections,
  noPeople,
  noProvisionalScans,
  type ErasureStores,
  type ErasureSubject,
  type MemoryDays,
  type MemoryErasureParts,
} from '@tallybook/testing';

/** An erasure store in memory, and the stores that it erases from. Sabotage overrides the methods that make it. */
export class ErasureWorld {
  readonly changes = noChanges();
  readonly names = new Map<TallyId, Name>();
  readonly people = noPeople();
  readonly contents: MemoryDays = new Map();
  readonly scans = noProvisionalScans();
  readonly facts = noCorrections();
  readonly erased = new MemoryErasures();
  /** Number of erasures that can still be taken over. */
  #left = Infinity;
  #close = (): Promise<void> => Promise.resolve();

  async subject(): Promise<ErasureSubject> {
    const open = async (): Promise<ErasureStores> => {
      await this.#close();
      const journal = new MemoryJournal(this.changes);
      const mapping = new MemoryMappingStore(this.names, journal);
      const days = new MemoryDayStore(this.contents, journal);
      const provisional = new MemoryProvisionalStore(this.scans, journal);
      const corrections = new MemoryCorrectionStore(this.facts, journal);
      const people = new MemoryPeopleStore(this.people, { mapping, journal });
      const parts = { mapping, people, days, provisional, corrections, journal };
      const erasures = this.erasures(parts);
      const add = erasures.add.bind(erasures);
      erasures.add = (some, now) => (this.#left-- > 0 ? add(some, now) : this.interrupt(some));
      const stores = { ...parts, stamped: new MemoryStampedNames(mapping), erasures };
      const opened = await openAll(Object.values(stores));
      this.#close = () => opened.close();
      return stores;
    };
    const faults = {
      failAfter: (writes: number) => {
        this.#left = writes;
        return () => (this.#left = Infinity);
      },
    };
    return { ...(await open()), restart: open, faults, cleanup: () => this.#close() };
  }

  /** Result of taking over erasures whose first write fails. */
  interrupt(erasures: readonly Erasure[]): Promise<void> {
    return Promise.reject(
      new TallybookError('STORE_WRITE_FAILED', `no room for ${erasures.length} erasures`),
    );
  }

  erasures(parts: Required<MemoryErasureParts>): MemoryErasureStore {
    return new MemoryErasureStore(parts, this.erased);
  }
}
