import { openAll, type Name, type SnapshotSource, type TallyId } from '@tallybook/domain';
import { StoresSnapshotSource } from '@tallybook/domain/record';
import type { AuditEntry } from '@tallybook/domain/access';
import {
  MemoryAccessStore,
  MemoryAuditStore,
  MemoryCorrectionStore,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  MemoryReceiptStore,
  MemorySnapshotSource,
  noAccess,
  noChanges,
  noCorrections,
  noProvisionalScans,
  type MemoryContents,
  type MemoryDays,
  type MemoryReceipts,
} from '@tallybook/store-memory';
import {
  accessStoreContract,
  auditStoreContract,
  correctionStoreContract,
  dayStoreContract,
  journalContract,
  mappingStoreContract,
  provisionalStoreContract,
  receiptStoreContract,
  snapshotSourceContract,
  type JournalStores,
  type SnapshotSubject,
} from '@tallybook/testing';

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

correctionStoreContract(
  { describe, it },
  {
    name: 'MemoryCorrectionStore',
    durable: true,
    make: () => {
      const corrections = noCorrections();
      const store = new MemoryCorrectionStore(corrections);
      return { store, reopen: () => new MemoryCorrectionStore(corrections), cleanup: () => store.close() };
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

accessStoreContract(
  { describe, it },
  {
    name: 'MemoryAccessStore',
    durable: true,
    make: () => {
      const access = noAccess();
      const store = new MemoryAccessStore(access);
      return { store, reopen: () => new MemoryAccessStore(access), cleanup: () => store.close() };
    },
  },
);

auditStoreContract(
  { describe, it },
  {
    name: 'MemoryAuditStore',
    durable: true,
    make: () => {
      const entries: AuditEntry[] = [];
      const store = new MemoryAuditStore(entries);
      return { store, reopen: () => new MemoryAuditStore(entries), cleanup: () => store.close() };
    },
  },
);

receiptStoreContract(
  { describe, it },
  {
    name: 'MemoryReceiptStore',
    durable: true,
    make: () => {
      const receipts: MemoryReceipts = new Map();
      const store = new MemoryReceiptStore(receipts);
      return { store, reopen: () => new MemoryReceiptStore(receipts), cleanup: () => store.close() };
    },
  },
);

snapshotSourceContract(
  { describe, it },
  { name: 'MemorySnapshotSource', make: () => overMemory((contents) => new MemorySnapshotSource(contents)) },
);

snapshotSourceContract(
  { describe, it },
  {
    name: 'StoresSnapshotSource',
    make: () => overMemory((_, stores) => new StoresSnapshotSource(stores)),
    deviations: [
      {
        reason: 'each day is read when its turn comes',
        cases: [
          'gives days as they were, whatever becomes of them',
          'gives scans as they were, whatever becomes of them',
        ],
      },
    ],
  },
);

journalContract(
  { describe, it },
  {
    name: 'MemoryJournal',
    durable: true,
    hasFaults: false,
    make: async (limits) => {
      const contents = {
        names: new Map<TallyId, Name>(),
        days: new Map() as MemoryDays,
        scans: noProvisionalScans(),
        corrections: noCorrections(),
      };
      const changes = noChanges();
      let opened = { close: (): Promise<void> => Promise.resolve() };
      const open = async (): Promise<JournalStores> => {
        await opened.close();
        const journal = new MemoryJournal(changes, limits);
        const stores = {
          journal,
          mapping: new MemoryMappingStore(contents.names, journal),
          days: new MemoryDayStore(contents.days, journal),
          provisional: new MemoryProvisionalStore(contents.scans, journal),
          corrections: new MemoryCorrectionStore(contents.corrections, journal),
        };
        opened = await openAll(Object.values(stores));
        return stores;
      };
      return { ...(await open()), restart: open, cleanup: () => opened.close() };
    },
  },
);

async function overMemory(
  create: (
    contents: MemoryContents,
    stores: Omit<SnapshotSubject, 'snapshots' | 'cleanup'>,
  ) => SnapshotSource,
): Promise<SnapshotSubject> {
  const days: MemoryDays = new Map();
  const corrections = noCorrections();
  const contents = { names: new Map<TallyId, Name>(), days, corrections, scans: noProvisionalScans() };
  const stores = {
    mapping: new MemoryMappingStore(contents.names),
    days: new MemoryDayStore(contents.days),
    provisional: new MemoryProvisionalStore(contents.scans),
    corrections: new MemoryCorrectionStore(corrections),
  };
  for (const store of Object.values(stores)) await store.open();
  const cleanup = async (): Promise<void> => {
    for (const store of Object.values(stores)) await store.close();
  };
  return { ...stores, snapshots: create(contents, stores), cleanup };
}
