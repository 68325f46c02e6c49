export { accessStoreContract } from './contracts/access-store.js';
export { clockContract, type ClockContractOptions, type ClockSubject } from './contracts/clock.js';
export { dayStoreContract } from './contracts/day-store.js';
export {
  idSourceContract,
  type IdSourceContractOptions,
  type IdSourceSubject,
} from './contracts/id-source.js';
export { journalContract } from './contracts/journal.js';
export type {
  JournalContractOptions,
  JournalFaults,
  JournalStores,
  JournalSubject,
} from './contracts/journal-subject.js';
export {
  lifecycleContract,
  type LifecycleContractOptions,
  type LifecycleSubject,
} from './contracts/lifecycle.js';
export { mappingStoreContract } from './contracts/mapping-store.js';
export { provisionalStoreContract } from './contracts/provisional-store.js';
export { secretsContract, type SecretsContractOptions } from './contracts/secrets.js';
export {
  snapshotSourceContract,
  type SnapshotSourceContractOptions,
  type SnapshotSubject,
} from './contracts/snapshot-source.js';
export type { StoreContractOptions, StoreSubject } from './contracts/store-subject.js';
export { ManualClock } from './fakes/manual-clock.js';
export { ScriptedIdSource } from './fakes/scripted-id-source.js';
export { PATIENCE_MS, Recorder } from './recorder.js';
export type { Deviation, TestRunner } from './runner.js';
export {
  MemoryAccessStore,
  MemoryDayStore,
  MemoryJournal,
  MemoryMappingStore,
  MemoryProvisionalStore,
  MemorySnapshotSource,
  noAccess,
  noChanges,
  noProvisionalScans,
  type MemoryAccess,
  type MemoryChanges,
  type MemoryContents,
  type MemoryDays,
  type MemoryEntry,
  type MemoryProvisionalScans,
} from '@tallybook/store-memory';
