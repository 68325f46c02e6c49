export { CentreSync } from '../../../packages/domain/src/sync/centre-sync.js';
export { StationSync } from '../../../packages/domain/src/sync/station-sync.js';
export { GuardedMappingStore, GuardedCorrectionStore } from '../../../packages/domain/src/sync/guarded-stores.js';
export { Gate } from '../../../packages/domain/src/gate.js';
export { parseSyncAnswer, parseSyncChanges, parseSnapshotPart } from '../../../packages/domain/src/sync/parse-sync.js';
