export { AccessService } from './access/access-service.js';
export type {
  AccessDependencies,
  AccessOptions,
  AccessState,
  CredentialView,
  NewPassword,
  Origin,
  ProviderStart,
  SignedIn,
  SignedInElsewhere,
  UserChoice,
  UserView,
} from './access/access-parts.js';
export type { PasskeyKeeper } from './access/passkeys/passkey-keeper.js';
export type { PasskeySignIn } from './access/passkeys/passkey-sign-in.js';
export type {
  MaybePlace,
  NewPasskeyRequest,
  PasskeyChallenge,
  PasskeyChoice,
  PasskeyProof,
  PasskeyView,
} from './access/passkeys/passkey-parts.js';
export { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './access/passwords/password-rules.js';
export {
  IDLE_DAYS,
  KIOSK_SESSION_SECONDS,
  SESSION_SECONDS,
  type Transport,
} from './access/session-length.js';
export { roleOfGroups, type IdentityRules } from './access/provider/identity-rules.js';
export { SUBJECT_MAX_LENGTH, type LinkChoice } from './access/provider/link.js';
export { TOKEN_MAX_DAYS, type TokenChoice } from './access/credentials/token-choice.js';
export { LABEL_MAX_LENGTH } from './access/label.js';
export { USER_NAME_MAX_LENGTH, userNameOf } from './access/user-name.js';
export { anyone, nobody, owner, personOf, type Principal } from './access/principal.js';
export {
  actions,
  actionsOf,
  authorise,
  roles,
  rolesFor,
  type Action,
  type Role,
} from './values/access/roles.js';
export type { AuditNotes } from './audit/audit-notes.js';
export {
  AuditTrail,
  UNWRITTEN_MAX,
  type AuditTrailDependencies,
  type AuditTrailOptions,
  type UnwrittenNote,
} from './audit/audit-trail.js';
export { canonicalText } from './audit/canonical-text.js';
export type { AuditPage } from './audit/read-audit-page.js';
export type { AuditFault, AuditVerification } from './audit/verify-audit.js';
export type { AccessChanges, AccessRecord, AccessStore } from './ports/access/access-store.js';
export type {
  ExpectedAnswer,
  MadePasskey,
  PasskeyPlace,
  PasskeyVerifier,
  UsedPasskey,
} from './ports/access/passkey-verifier.js';
export type { AuditStore, EntryAfter } from './ports/audit-store.js';
export {
  PUSH_MAX_READINGS,
  type PushedReadings,
  type PushResult,
  type PushSource,
} from './ports/devices/push-source.js';
export type {
  Identity,
  IdentityProvider,
  ProvenIdentity,
  SignInStart,
} from './ports/access/identity-provider.js';
export type { Receipt, ReceiptStore } from './ports/devices/receipt-store.js';
export type { PasswordCheck, Secrets } from './ports/secrets.js';
export {
  readCredential,
  readUser,
  writeCredential,
  writeUser,
  type Credential,
  type User,
  type UserIdentity,
} from './values/access/access.js';
export type { Passkey, SpentChallenge, UserPasskeys } from './values/access/passkey.js';
export {
  AUDIT_BEGINNING,
  SERVICE_ACTOR,
  auditActions,
  readAuditEntry,
  writeAuditEntry,
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
  type AuditHead,
} from './values/audit.js';
export {
  addScan,
  ENTRY_COUNT_MAX,
  mergeEntries,
  type AttendanceDay,
  type Entry,
  type RecordOutcome,
} from './values/record/attendance-day.js';
export {
  AttendanceService,
  type AttendanceDependencies,
  type AttendanceOptions,
} from './attendance/attendance-service.js';
export { HealthMonitor, type HealthMonitorOptions } from './health/health-monitor.js';
export {
  worstOf,
  type Finding,
  type Health,
  type HealthCheck,
  type HealthStatus,
  type NamedFinding,
  type PartHealth,
} from './health/health.js';
export {
  backlogCheck,
  clockCheck,
  readersCheck,
  storeCheck,
  type StoreCheckParts,
} from './health/attendance-checks.js';
export type { AttendanceEvent, FiledScan, Scan } from './values/record/attendance-event.js';
export {
  BACKUP_LINE_MAX_LENGTH,
  BACKUP_VERSION,
  formatBackupLine,
  parseBackupLine,
  type BackupCounts,
  type BackupRecord,
} from './backup/backup.js';
export { BackupReader, checkBackup } from './backup/backup-reader.js';
export {
  BackupService,
  joinLines,
  type BackupDependencies,
  type ImportCounts,
} from './backup/backup-service.js';
export { BACKLOG_DEFAULT_LIMIT, BACKLOG_MAX_LIMIT, type BacklogState } from './attendance/backlog.js';
export { Calendar, type CalendarOptions } from './time/calendar.js';
export { DAY_MAX, formatDay, parseDay, toDay, type Day } from './values/day.js';
export type { ErasureRequest, ErasureStore, KeptErasure, Trace } from './ports/record/erasure-store.js';
export { afterErasure, type Erasure, type ErasureState } from './values/record/erasure.js';
export { ErasureIndex, type TagDigests } from './values/record/erasure-index.js';
export {
  CENTRE_ERASURES_MAX,
  CENTRE_KEYS_MAX,
  CENTRE_ROOM,
  ERASURE_KEYS_MAX,
  ERASURES_MAX,
  requireRoom,
  roomForCopy,
  STATION_KEYS_MAX,
  STORE_ROOM,
  type ErasureRoom,
  type KnownErasures,
} from './values/record/erasure-keys.js';
export {
  ERASURE_KEPT_DAYS,
  ERASURE_MAX_TAGS,
  ErasureService,
  type BackupSearch,
  type ErasedTag,
  type ErasureDependencies,
  type ErasureReport,
} from './personal/erasure-service.js';
export { firstKeptDay, formatKeep, parseKeep, type Keep } from './personal/keep.js';
export {
  auditSection,
  personData,
  type PersonDataDependencies,
  type PersonSection,
} from './personal/person-data.js';
export type { CodeOf } from './ranges/pseudonymous-snapshot.js';
export { retentionDoubts, type RetentionDoubt } from './personal/retention-guard.js';
export {
  RetentionService,
  type ExpiredDay,
  type OldBackups,
  type RetentionDependencies,
  type RetentionReport,
  type RetentionRequest,
} from './personal/retention-service.js';
export { countTraces, type TraceCounts } from './personal/trace-counts.js';
export { counted } from './counted.js';
export { requireHeapFor } from './require-heap-for.js';
export {
  errorCodes,
  isPermanentFailure,
  isTallybookError,
  kindOf,
  printable,
  quote,
  TallybookError,
  type ErrorCode,
  type ErrorDetails,
  type TallybookErrorOptions,
} from './errors.js';
export { Gate } from './gate.js';
export {
  ManagedResource,
  openAll,
  type Lifecycle,
  type LifecycleStatus,
  type OpenResources,
} from './lifecycle.js';
export { compareTallyIds, createMapping, type Mapping } from './values/names/mapping.js';
export {
  isSameName,
  NAME_PART_MAX_LENGTH,
  parseKeptName,
  parseName,
  type Name,
} from './values/names/name.js';
export { NAME_LIST_MAX_LINES, type ListedName, type RefusedLine } from './names/name-list.js';
export { countNames, type NameCounts } from './names/name-counts.js';
export {
  NameService,
  type ImportNamesOptions,
  type ListedChange,
  type NameListReport,
} from './names/name-service.js';
export type { AppointmentOptions, Clock } from './ports/clock.js';
export type {
  Change,
  CorrectionChange,
  DayChange,
  ErasedChange,
  NameChange,
  ProvisionalChange,
  RepairChange,
  ScanChange,
} from './values/record/change.js';
export { ADDITION_MAX_AGE_DAYS } from './corrections/check-correction.js';
export { correctDay, type CorrectedDay, type DayFacts } from './corrections/correct-day.js';
export { CorrectedDayStore, type CorrectedDayStoreParts } from './corrections/corrected-day-store.js';
export { CorrectedSnapshotSource } from './corrections/corrected-snapshot-source.js';
export {
  CORRECTIONS_AT_ONCE_MAX,
  CorrectionService,
  type CorrectionDependencies,
  type CorrectionOptions,
  type CorrectionRequest,
  type KnownScans,
} from './corrections/correction-service.js';
export type { CorrectionStore, Verdict } from './ports/record/correction-store.js';
export {
  correctionActions,
  correctionStates,
  isSameCorrection,
  parseCorrectionAction,
  parseReason,
  REASON_LENGTH,
  type Correction,
  type CorrectionAction,
  type CorrectionDecision,
  type CorrectionState,
  type NewCorrection,
} from './values/record/correction.js';
export type { DayStore, ScanSource } from './ports/record/day-store.js';
export {
  JOURNAL_DAYS_RANGE,
  JOURNAL_DEFAULT_DAYS,
  JOURNAL_DEFAULT_LIMIT,
  JOURNAL_LIMIT_RANGE,
  journalBounds,
  type Cursor,
  type Journal,
  type JournalBounds,
  type JournalEntry,
  type JournalLimits,
  type JournalPage,
} from './ports/record/journal.js';
export {
  JournalConsumer,
  type JournalConsumerOptions,
  type ResetReason,
} from './journal/journal-consumer.js';
export { ConsumerPositions, type ConsumerPosition } from './journal/consumer-positions.js';
export {
  createReading,
  type IdSource,
  type ReaderConnection,
  type ReaderFault,
} from './ports/devices/id-source.js';
export type { Indication, Indicator, Signal } from './ports/devices/indicator.js';
export type {
  Association,
  MappingSnapshot,
  MappingStore,
  NameChanges,
  PutOutcome,
  RestoreOutcome,
} from './ports/names/mapping-store.js';
export type { ProvisionalStore } from './ports/record/provisional-store.js';
export type { Revision } from './ports/revision.js';
export type { Snapshot, SnapshotSource } from './ports/record/snapshot-source.js';
export type { Storage } from './ports/storage.js';
export { associationsOf } from './backup/associations-of.js';
export type { Estimate, Filing, ProvisionalScan } from './values/record/provisional.js';
export type { Reading, ReadingOutcome } from './values/record/reading.js';
export { ReaderMonitor, type ReaderState } from './attendance/reader-monitor.js';
export { sortInTurns, type Pause } from './sort-in-turns.js';
export { Turns } from './turns.js';
export type { AttendanceTable } from './ranges/attendance-table.js';
export type { Person, Presence } from './ranges/person.js';
export {
  RANGE_MAX_DAYS,
  RangeService,
  type AttendanceRange,
  type RangeOptions,
  type NamedEntry,
  type RangeDependencies,
} from './ranges/range-service.js';
export { REPEAT_WINDOW_DEFAULT_MS, REPEAT_WINDOW_MAX_MS, RepeatWindow } from './attendance/repeat-window.js';
export { StoresSnapshotSource, type SeparateStores } from './backup/stores-snapshot-source.js';
export { Emitter, type Subscribable, type Subscription } from './subscribable.js';
export {
  isBlankTallyId,
  parseReadId,
  parseTallyId,
  refuseBlank,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  type TallyId,
} from './values/tally-id.js';
export {
  createIdFormat,
  type IdFormat,
  type IdFormatOptions,
  type InspectId,
  type TagTechnology,
} from './values/ids/id-format.js';
export { spellingNames, type SpellingName } from './values/ids/spellings.js';
export type { Digest } from './values/ids/text-id.js';
export {
  ambiguous,
  decidedReading,
  readingsOfList,
  remainingReadings,
  TypedIds,
  type IdReading,
  type IdReadings,
} from './values/ids/typed-ids.js';
export {
  TagFinder,
  type FoundTag,
  type KnownTag,
  type LastSeen,
  type TagFinderDependencies,
} from './names/tag-finder.js';
export {
  UNNAMED_MAX_TAGS,
  UnnamedTags,
  type UnnamedTag,
  type UnnamedTagsDependencies,
} from './names/unnamed-tags.js';
export { learnLatestScan, type TapTimes } from './time/latest-scan.js';
export { Timekeeper, type ClockDoubt, type ClockTrust, type TimekeeperOptions } from './time/timekeeper.js';
export { WallClock } from './time/wall-clock.js';
export {
  DATE_MAX,
  parseTimestamp,
  TIMESTAMP_MAX_U64,
  OUTSIDE_TIME_MAX,
  toTimestamp,
  type Timestamp,
} from './values/timestamp.js';
export {
  compareStamps,
  givenAt,
  latestNames,
  nextStamp,
  restoredStamp,
  STAMP_COUNTER_MAX,
  STAMP_MS_MAX,
  NO_STAMP,
  NOWHERE,
  type NameStamp,
  type StampedName,
} from './values/names/name-stamp.js';
export {
  STAMP_MAX_AHEAD_MS,
  SYNC_MAX_BYTES,
  SYNC_MAX_CURSOR,
  SYNC_MAX_ENTRIES,
  SYNC_MAX_ITEMS,
  SYNC_MAX_WAIT_MS,
  type CorrectionItem,
  type DayItem,
  type DownItem,
  type EntriesItem,
  type ErasureItem,
  type NameItem,
  type RefusedItem,
  type ScanItem,
  type StationStatus,
  type LeftOut,
  type ReadSnapshotPart,
  type SyncAnswer,
  type SyncBatch,
  type SyncChanges,
  type SyncItem,
  type SyncPosition,
  type SyncSnapshotPart,
  type UpItem,
} from './values/sync/sync.js';
export {
  STATION_REFUSED_MAX,
  STATION_RUNS_MAX,
  type RefusedNote,
  type KeyClaim,
  type StationNotes,
  type StationKey,
  type StationRecord,
  type StationStore,
} from './ports/sync/station-store.js';
export {
  acknowledgedOf,
  latestRunOf,
  withAcknowledged,
  withKeys,
  withRefused,
  type StationRun,
} from './ports/sync/station-history.js';
export type { StampedNames, StampSource } from './ports/names/stamped-names.js';
export type { SyncTransport } from './ports/sync/sync-transport.js';
export { CentreSync, type CentreSyncDependencies } from './sync/centre/centre-sync.js';
export type { SyncSignal } from './sync/centre/change-watch.js';
export type { MergeDependencies } from './sync/centre/merge/merge-parts.js';
export type { ApplyDependencies } from './sync/station/apply-items.js';
export { GuardedCorrectionStore, GuardedMappingStore } from './sync/station/guarded-stores.js';
export {
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncBatch,
  parseSyncChanges,
  type ParsedBatch,
} from './sync/items/parse-sync.js';
export { SyncNotes, type SyncedChanges } from './sync/sync-notes.js';
export {
  StationSync,
  type StationSyncDependencies,
  type UpstreamReport,
} from './sync/station/station-sync.js';
export { stationsCheck } from './sync/centre/stations-check.js';
export { upstreamCheck } from './sync/station/upstream-check.js';
