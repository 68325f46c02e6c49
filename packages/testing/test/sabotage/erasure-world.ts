import { openAll, type Erasure, type Name, type TallyId } from '@tallybook/domain';
import {
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  noChanges,
  noCorrections,
  noProvisionalScans,
  type ErasureStores,
  type ErasureSubject,
  type MemoryDays,
  type MemoryErasureParts,
} from '@tallybook/testing';

/** An erasure store in memory with the stores that it erases from. Sabotage overrides what makes it. */
export class ErasureWorld {
  readonly changes = noChanges();
  readonly names = new Map<TallyId, Name>();
  readonly contents: MemoryDays = new Map();
  readonly scans = noProvisionalScans();
  readonly facts = noCorrections();
  readonly erased = new Map<string, Erasure>();
  #close = (): Promise<void> => Promise.resolve();

  async subject(): Promise<ErasureSubject> {
    const open = async (): Promise<ErasureStores> => {
      await this.#close();
      const journal = new MemoryJournal(this.changes);
      const mapping = new MemoryMappingStore(this.names, journal);
      const days = new MemoryDayStore(this.contents, journal);
      const provisional = new MemoryProvisionalStore(this.scans, journal);
      const corrections = new MemoryCorrectionStore(this.facts, journal);
      const parts = { mapping, days, provisional, corrections, journal };
      const stores = { ...parts, erasures: this.erasures(parts) };
      const opened = await openAll(Object.values(stores));
      this.#close = () => opened.close();
      return stores;
    };
    return { ...(await open()), restart: open, cleanup: () => this.#close() };
  }

  erasures(parts: Required<MemoryErasureParts>): MemoryErasureStore {
    return new MemoryErasureStore(parts, this.erased);
  }
}
