export { CentreSync } from './centre/centre-sync.js';
export { parseSnapshotPart, parseSyncAnswer, parseSyncBatch, parseSyncChanges } from './items/parse-sync.js';
export type { StampedNames, StampSource } from './ports/stamped-names.js';
export {
  acknowledgedOf,
  latestRunOf,
  withAcknowledged,
  withRefused,
  type StationRun,
} from './ports/station-history.js';
export {
  STATION_REFUSED_MAX,
  type RefusedNote,
  type StationNotes,
  type StationRecord,
  type StationStore,
  type SyncFacets,
} from './ports/station-store.js';
export type { SyncTransport } from './ports/sync-transport.js';
export { guardCorrections, guardMapping } from './station/guarded-stores.js';
export { StationSync, type StationSyncDependencies, type UpstreamReport } from './station/station-sync.js';
export { stationsCheck, upstreamCheck } from './sync-checks.js';
export { SyncNotes } from './sync-notes.js';
export {
  STAMP_MAX_AHEAD_MS,
  SYNC_MAX_BYTES,
  SYNC_MAX_CURSOR,
  SYNC_MAX_ENTRIES,
  SYNC_MAX_ITEMS,
  SYNC_MAX_WAIT_MS,
  SYNC_PROTOCOL,
  type DownItem,
  type LeftOut,
  type NameItem,
  type ReadSnapshotPart,
  type RefusedItem,
  type StationStatus,
  type SyncAnswer,
  type SyncBatch,
  type SyncChanges,
  type SyncItem,
  type SyncPosition,
  type SyncSnapshotPart,
} from './values/sync.js';
export { sync, type SyncServices } from './sync-feature.js';
