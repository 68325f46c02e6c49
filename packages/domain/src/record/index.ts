export { type Correction } from '../values/record/correction.js';
export {
  detailedEntry,
  ENTRY_SCANS_MAX,
  joinFlags,
  knownScans,
  type KnownScan,
} from '../values/record/known-scans.js';
export { BackupReader, checkBackup } from './backup/backup-reader.js';
export {
  BackupService,
  joinLines,
  type BackupDependencies,
  type ImportCounts,
} from './backup/backup-service.js';
export {
  BACKUP_LINE_MAX_LENGTH,
  formatBackupLine,
  parseBackupLine,
  type BackupCounts,
  type BackupRecord,
} from './backup/backup.js';
export { ConsumerPositions, type ConsumerPosition } from './consumer-positions.js';
export { correctDay, type CorrectedDay } from './corrections/correct-day.js';
export { CorrectedDayStore } from './corrections/corrected-day-store.js';
export { CorrectedSnapshotSource } from './corrections/corrected-snapshot-source.js';
export {
  CORRECTIONS_AT_ONCE_MAX,
  CorrectionService,
  type CorrectionOptions,
  type CorrectionRequest,
} from './corrections/correction-service.js';
export { Gate } from './gate.js';
export { backlogCheck, clockCheck, readersCheck, storeCheck } from './health/attendance-checks.js';
export { HealthMonitor } from './health/health-monitor.js';
export {
  warning,
  worstOf,
  type Finding,
  type Health,
  type HealthCheck,
  type HealthStatus,
  type NamedFinding,
  type PartHealth,
} from './health/health.js';
export type { ImportedPerson } from './names/known-people.js';
export type { ListedPerson, ListRow } from './names/listed-person.js';
export { countNames, type NameCounts } from './names/name-counts.js';
export { describeDoubts, PeopleImport, type ImportReport } from './names/people-import.js';
export { NAME_LIST_MAX_LINES } from './names/person-list.js';
export type { RowChoice } from './names/plan-import.js';
export type { RefusedLine } from './names/refused-line.js';
export { TagFinder, type FoundTag, type KnownTag } from './names/tag-finder.js';
export { ambiguous, decidedReading, TypedIds, type IdReading } from './names/typed-ids.js';
export { PeopleDirectory, type PeoplePage } from './people/people-directory.js';
export { changesWithin, type ScanOfDay } from '../people/group-view.js';
export type { PersonDetail } from './people/person-summary.js';
export { UNNAMED_MAX_TAGS, UnnamedTags, type UnnamedTag } from './names/unnamed-tags.js';
export type { CorrectionStore, RecordFacets, Verdict } from './ports/correction-store.js';
export type { ErasureRequest, ErasureStore, KeptErasure, Trace } from './ports/erasure-store.js';
export type { AttendanceTable, TablePerson } from './ranges/attendance-table.js';
export type { Presence } from './ranges/table-cells.js';
export {
  RANGE_MAX_DAYS,
  RangeService,
  type AttendanceRange,
  type NamedEntry,
  type RangeChoice,
} from './ranges/range-service.js';
export { snapshotOf } from './record-reader.js';
export { requireHeapFor } from './require-heap-for.js';
export { sortInTurns, Turns } from './turns.js';
export {
  decidedAs,
  isSameCorrection,
  parseCorrectionAction,
  parseReason,
  readCorrection,
  REASON_LENGTH,
  requireNotErased,
  type NewCorrection,
} from './values/correction.js';
export {
  CENTRE_ERASURES_MAX,
  ERASURE_KEYS_MAX,
  ErasureIndex,
  ERASURES_MAX,
  type TagDigests,
} from './values/erasure-index.js';
export {
  afterErasure,
  nameOfErasure,
  type Erasure,
  type ErasureName,
  type ErasureState,
} from './values/erasure.js';
export { ErasingStore, type DecideErasures, type ErasedScans } from './erasing-store.js';
export { givenAt } from './values/name-stamp.js';
export { withoutErased } from './erased-people.js';
export { changeNames, mergeNames, restoreName } from './values/write-names.js';
export { ifCode } from '../errors.js';
export { pagesOf, peopleRowPages } from '../people/people-pages.js';
export { noPeopleRows } from '../ports/people/people-store.js';
export { DatabaseStorage, StorageDatabase } from './storage-database.js';
export { record, type RecordServices } from './record-feature.js';
