import type { Name, TallyId } from '@tallybook/domain';
import {
  dayStoreContract,
  idSourceContract,
  ManualClock,
  mappingStoreContract,
  MemoryDayStore,
  MemoryMappingStore,
  MemoryProvisionalStore,
  noProvisionalScans,
  provisionalStoreContract,
  ScriptedIdSource,
  type MemoryDays,
} from '@tallybook/testing';

const clock = new ManualClock();

mappingStoreContract(
  { describe, it },
  {
    name: 'MemoryMappingStore',
    durable: true,
    make: () => {
      const names = new Map<TallyId, Name>();
      const store = new MemoryMappingStore(names);
      return { store, reopen: () => new MemoryMappingStore(names), cleanup: () => store.close() };
    },
  },
);

dayStoreContract(
  { describe, it },
  {
    name: 'MemoryDayStore',
    durable: true,
    make: () => {
      const days: MemoryDays = new Map();
      const store = new MemoryDayStore(days);
      return { store, reopen: () => new MemoryDayStore(days), cleanup: () => store.close() };
    },
  },
);

provisionalStoreContract(
  { describe, it },
  {
    name: 'MemoryProvisionalStore',
    durable: true,
    make: () => {
      const scans = noProvisionalScans();
      const store = new MemoryProvisionalStore(scans);
      return { store, reopen: () => new MemoryProvisionalStore(scans), cleanup: () => store.close() };
    },
  },
);

idSourceContract(
  { describe, it },
  {
    name: 'ScriptedIdSource',
    clock,
    pluggable: true,
    make: () => {
      const source = new ScriptedIdSource(clock);
      return {
        source,
        present: (id) => {
          source.present(id);
        },
        garble: () => {
          source.present('no id');
        },
        unplug: () => {
          source.unplug();
        },
        plug: () => {
          source.plug();
        },
        cleanup: () => source.close(),
      };
    },
  },
);
