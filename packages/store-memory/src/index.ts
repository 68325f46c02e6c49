export {
  composeStorage,
  RECORD_ELSEWHERE,
  type ComposedFrom,
  type RestOfStorage,
  type StorageParts,
} from './compose-storage.js';
export { MemoryAccessStore, noAccess, type MemoryAccess } from './memory-access-store.js';
export { MemoryAuditStore } from './memory-audit-store.js';
export { MemoryCorrectionStore, noCorrections, type MemoryCorrections } from './memory-correction-store.js';
export { MemoryDayStore, type MemoryDays, type MemoryEntry } from './memory-day-store.js';
export { MemoryErasures, MemoryErasureStore, type MemoryErasureParts } from './memory-erasure-store.js';
export { MemoryJournal, noChanges, type MemoryChanges } from './memory-journal.js';
export { MemoryMappingStore, type MemoryStamping, type MemoryStamps } from './memory-mapping-store.js';
export {
  MemoryPeopleStore,
  noPeople,
  type MemoryPeople,
  type MemoryPeopleParts,
} from './memory-people-store.js';
export {
  MemoryProvisionalStore,
  noProvisionalScans,
  type MemoryProvisionalScans,
} from './memory-provisional-store.js';
export { MemoryReceiptStore, type MemoryReceipts } from './memory-receipt-store.js';
export { MemorySnapshotSource, type MemoryContents } from './memory-snapshot-source.js';
export { MemoryData, MemoryStorage, type MemoryStorageOptions } from './memory-storage.js';
export { MemoryStampedNames } from './memory-stamped-names.js';
export { MemoryStationStore, type MemoryStation, type MemoryStations } from './memory-station-store.js';
