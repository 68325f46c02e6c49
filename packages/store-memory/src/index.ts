export { AnnouncedJournal, type Announcers } from './announced-journal.js';
export { MemoryAccessStore, noAccess, type MemoryAccess } from './memory-access-store.js';
export { MemoryDayStore, type MemoryDays, type MemoryEntry } from './memory-day-store.js';
export { MemoryJournal, noChanges, type MemoryChanges } from './memory-journal.js';
export { MemoryMappingStore } from './memory-mapping-store.js';
export {
  MemoryProvisionalStore,
  noProvisionalScans,
  type MemoryProvisionalScans,
} from './memory-provisional-store.js';
export { MemorySnapshotSource, type MemoryContents } from './memory-snapshot-source.js';
