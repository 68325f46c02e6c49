import { openAll, type Name, type TallyId } from '@tallybook/domain';
import type { Erasure } from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import {
  MemoryDayStore,
  MemoryErasureStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryStampedNames,
  MemoryStationStore,
  noChanges,
  type MemoryStamps,
  type MemoryStations,
} from '@tallybook/store-memory';
import {
  stampedNamesContract,
  stationStoreContract,
  type StampedNamesStores,
  type StampedNamesSubject,
} from '@tallybook/testing';

stationStoreContract(
  { describe, it },
  {
    name: 'MemoryStationStore',
    durable: true,
    make: () => {
      const stations: MemoryStations = new Map();
      const store = new MemoryStationStore(stations);
      return { store, reopen: () => new MemoryStationStore(stations), cleanup: () => store.close() };
    },
  },
);

stampedNamesContract({ describe, it }, { name: 'MemoryStampedNames', make: inMemory });

async function inMemory(first: StampSource | undefined): Promise<StampedNamesSubject> {
  const [changes, names] = [noChanges(), new Map<TallyId, Name>()];
  const stamps: MemoryStamps = new Map();
  const erased = new Map<string, Erasure>();
  let close = (): Promise<void> => Promise.resolve();
  const open = async (source: StampSource | undefined): Promise<StampedNamesStores> => {
    await close();
    const journal = new MemoryJournal(changes);
    const mapping = new MemoryMappingStore(names, journal, { stamps, ...(source && { source }) });
    const days = new MemoryDayStore(new Map(), journal);
    const stores = {
      ...{ journal, mapping, days, stamped: new MemoryStampedNames(mapping) },
      erasures: new MemoryErasureStore({ mapping, days, journal }, erased),
    };
    const opened = await openAll(Object.values(stores));
    close = () => opened.close();
    return stores;
  };
  return { ...(await open(first)), restart: open, cleanup: () => close() };
}
