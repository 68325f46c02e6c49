export { LevelDatabase } from './level-database.js';
export { LevelDayStore } from './level-day-store.js';
export { LevelMappingStore } from './level-mapping-store.js';
