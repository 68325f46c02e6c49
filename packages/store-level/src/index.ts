export type { StoreNotice } from './database/level-options.js';
export { LevelStorage, type LevelStorageOptions } from './level-storage.js';
export type { RepairReport } from './repair/repair-store.js';
