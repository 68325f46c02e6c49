import { openAll, type Name, type TallyId } from '@tallybook/domain';
import type { Erasure } from '@tallybook/domain/record';
import {
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  MemoryStampedNames,
  noChanges,
  noCorrections,
  noProvisionalScans,
  type MemoryDays,
} from '@tallybook/store-memory';
import { erasureStoreContract, type ErasureStores, type ErasureSubject } from '@tallybook/testing';

erasureStoreContract({ describe, it }, { name: 'MemoryErasureStore', make: inMemory });

async function inMemory(): Promise<ErasureSubject> {
  const [changes, names, contents] = [noChanges(), new Map<TallyId, Name>(), new Map() as MemoryDays];
  const [scans, facts, erased] = [noProvisionalScans(), noCorrections(), new Map<string, Erasure>()];
  let close = (): Promise<void> => Promise.resolve();
  const open = async (): Promise<ErasureStores> => {
    await close();
    const journal = new MemoryJournal(changes);
    const mapping = new MemoryMappingStore(names, journal);
    const days = new MemoryDayStore(contents, journal);
    const provisional = new MemoryProvisionalStore(scans, journal);
    const corrections = new MemoryCorrectionStore(facts, journal);
    const parts = { mapping, days, provisional, corrections, journal };
    const stamped = new MemoryStampedNames(mapping);
    const stores = { ...parts, stamped, erasures: new MemoryErasureStore(parts, erased) };
    const opened = await openAll(Object.values(stores));
    close = () => opened.close();
    return stores;
  };
  return { ...(await open()), restart: open, cleanup: () => close() };
}
