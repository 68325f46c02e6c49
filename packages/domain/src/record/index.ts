export {
  type Correction,
  correctionActions,
  type CorrectionDecision,
  type CorrectionState,
  correctionStates,
} from '../values/record/correction.js';
export { associationsOf } from './backup/associations-of.js';
export { BackupReader, checkBackup } from './backup/backup-reader.js';
export {
  type BackupDependencies,
  BackupService,
  type ImportCounts,
  joinLines,
} from './backup/backup-service.js';
export {
  BACKUP_LINE_MAX_LENGTH,
  type BackupCounts,
  type BackupRecord,
  formatBackupLine,
  parseBackupLine,
} from './backup/backup.js';
export { StoresSnapshotSource } from './backup/stores-snapshot-source.js';
export { correctDay, type CorrectedDay } from './corrections/correct-day.js';
export { CorrectedDayStore } from './corrections/corrected-day-store.js';
export { CorrectedSnapshotSource } from './corrections/corrected-snapshot-source.js';
export {
  type CorrectionOptions,
  type CorrectionRequest,
  CORRECTIONS_AT_ONCE_MAX,
  CorrectionService,
} from './corrections/correction-service.js';
export { backlogCheck, clockCheck, readersCheck, storeCheck } from './health/attendance-checks.js';
export { HealthMonitor } from './health/health-monitor.js';
export {
  type Finding,
  type Health,
  type HealthCheck,
  type HealthStatus,
  type NamedFinding,
  type PartHealth,
  worstOf,
} from './health/health.js';
export type { CorrectionStore, Verdict } from './ports/correction-store.js';
export type { ErasureRequest, ErasureStore, KeptErasure, Trace } from './ports/erasure-store.js';
export type { AttendanceTable } from './ranges/attendance-table.js';
export type { Person, Presence } from './ranges/person.js';
export type { CodeOf } from './ranges/pseudonymous-snapshot.js';
export {
  type AttendanceRange,
  type NamedEntry,
  RANGE_MAX_DAYS,
  RangeService,
} from './ranges/range-service.js';
export {
  isSameCorrection,
  type NewCorrection,
  parseCorrectionAction,
  parseReason,
  REASON_LENGTH,
} from './values/correction.js';
export { ErasureIndex, type TagDigests } from './values/erasure-index.js';
export {
  CENTRE_ERASURES_MAX,
  CENTRE_KEYS_MAX,
  ERASURE_KEYS_MAX,
  type ErasureRoom,
  ERASURES_MAX,
  requireRoom,
  roomForCopy,
  STATION_KEYS_MAX,
} from './values/erasure-keys.js';
export { afterErasure, type Erasure, type ErasureState } from './values/erasure.js';
export {
  compareStamps,
  givenAt,
  latestNames,
  type NameStamp,
  nextStamp,
  NO_STAMP,
  NOWHERE,
  restoredStamp,
  STAMP_COUNTER_MAX,
  STAMP_MS_MAX,
  type StampedName,
} from './values/name-stamp.js';
