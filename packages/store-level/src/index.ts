export { LevelAccessStore } from './stores/level-access-store.js';
export { LevelDatabase } from './database/level-database.js';
export { LevelDayStore } from './stores/level-day-store.js';
export type { LevelDatabaseOptions, StoreNotice } from './database/level-handle.js';
export { LevelJournal } from './stores/level-journal.js';
export { LevelMappingStore } from './stores/level-mapping-store.js';
export { LevelProvisionalStore } from './stores/level-provisional-store.js';
export { LevelSnapshotSource } from './stores/level-snapshot-source.js';
export type { RepairReport } from './repair/repair-store.js';
