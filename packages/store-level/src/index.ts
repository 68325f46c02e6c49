export { LevelDatabase } from './level-database.js';
export { LevelDayStore } from './level-day-store.js';
export type { LevelDatabaseOptions, StoreNotice } from './level-handle.js';
export { LevelMappingStore } from './level-mapping-store.js';
export { LevelProvisionalStore } from './level-provisional-store.js';
export { LevelSnapshotSource } from './level-snapshot-source.js';
export type { RepairReport } from './repair-store.js';
