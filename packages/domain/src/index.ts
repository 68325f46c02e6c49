export { type AttendanceOptions, AttendanceService } from './attendance/attendance-service.js';
export { BACKLOG_DEFAULT_LIMIT, BACKLOG_MAX_LIMIT, type BacklogState } from './attendance/backlog.js';
export { ReaderMonitor, type ReaderState } from './attendance/reader-monitor.js';
export { REPEAT_WINDOW_MAX_MS, RepeatWindow } from './attendance/repeat-window.js';
export { counted } from './counted.js';
export {
  type ErrorCode,
  errorCodes,
  type ErrorDetails,
  isPermanentFailure,
  isTallybookError,
  kindOf,
  printable,
  quote,
  TallybookError,
  type TallybookErrorOptions,
} from './errors.js';
export { Gate } from './gate.js';
export { type ConsumerPosition, ConsumerPositions } from './journal/consumer-positions.js';
export {
  JournalConsumer,
  type JournalConsumerOptions,
  type ResetReason,
} from './journal/journal-consumer.js';
export {
  type Lifecycle,
  type LifecycleStatus,
  ManagedResource,
  openAll,
  type OpenResources,
} from './lifecycle.js';
export { countNames, type NameCounts } from './names/name-counts.js';
export { type ListedName, NAME_LIST_MAX_LINES, type RefusedLine } from './names/name-list.js';
export { type ListedChange, type NameListReport, NameService } from './names/name-service.js';
export { type FoundTag, type KnownTag, TagFinder } from './names/tag-finder.js';
export { UNNAMED_MAX_TAGS, type UnnamedTag, UnnamedTags } from './names/unnamed-tags.js';
export type { AuditAction, AuditDetails, AuditNotes } from './ports/audit-notes.js';
export type { AppointmentOptions, Clock } from './ports/clock.js';
export {
  createReading,
  type IdSource,
  type ReaderConnection,
  type ReaderFault,
} from './ports/devices/id-source.js';
export type { Indication, Indicator, Signal } from './ports/devices/indicator.js';
export {
  PUSH_MAX_READINGS,
  type PushedReadings,
  type PushResult,
  type PushSource,
} from './ports/devices/push-source.js';
export type { Receipt, ReceiptStore } from './ports/devices/receipt-store.js';
export type {
  Association,
  MappingSnapshot,
  MappingStore,
  NameChanges,
  PutOutcome,
  RestoreOutcome,
} from './ports/names/mapping-store.js';
export type { DayStore, ScanSource } from './ports/record/day-store.js';
export {
  type Cursor,
  type Journal,
  JOURNAL_DAYS_RANGE,
  JOURNAL_DEFAULT_DAYS,
  JOURNAL_DEFAULT_LIMIT,
  JOURNAL_LIMIT_RANGE,
  journalBounds,
  type JournalBounds,
  type JournalEntry,
  type JournalLimits,
  type JournalPage,
} from './ports/record/journal.js';
export type { ProvisionalStore } from './ports/record/provisional-store.js';
export type { Refusals } from './ports/record/refusals.js';
export type { Snapshot, SnapshotSource } from './ports/record/snapshot-source.js';
export type { Revision } from './ports/revision.js';
export type { Storage } from './ports/storage.js';
export { requireHeapFor } from './require-heap-for.js';
export { type Pause, sortInTurns } from './sort-in-turns.js';
export { Emitter, type Subscribable, type Subscription } from './subscribable.js';
export { Calendar, type CalendarOptions } from './time/calendar.js';
export { learnLatestScan } from './time/latest-scan.js';
export { type ClockDoubt, type ClockTrust, Timekeeper } from './time/timekeeper.js';
export { WallClock } from './time/wall-clock.js';
export { Turns } from './turns.js';
export { type Day, DAY_MAX, formatDay, parseDay, toDay } from './values/day.js';
export {
  createIdFormat,
  type IdFormat,
  type IdFormatOptions,
  type InspectId,
  type TagTechnology,
} from './values/ids/id-format.js';
export { type SpellingName, spellingNames } from './values/ids/spellings.js';
export {
  ambiguous,
  decidedReading,
  type IdReading,
  remainingReadings,
  TypedIds,
} from './values/ids/typed-ids.js';
export { compareTallyIds, createMapping, type Mapping } from './values/names/mapping.js';
export {
  isSameName,
  type Name,
  NAME_PART_MAX_LENGTH,
  parseKeptName,
  parseName,
} from './values/names/name.js';
export {
  addScan,
  type AttendanceDay,
  type Entry,
  ENTRY_COUNT_MAX,
  mergeEntries,
  type RecordOutcome,
} from './values/record/attendance-day.js';
export type { AttendanceEvent, FiledScan, Scan } from './values/record/attendance-event.js';
export type {
  Change,
  CorrectionChange,
  DayChange,
  NameChange,
  ProvisionalChange,
  ScanChange,
} from './values/record/change.js';
export type { Estimate, Filing, ProvisionalScan } from './values/record/provisional.js';
export type { Reading, ReadingOutcome } from './values/record/reading.js';
export {
  isBlankTallyId,
  parseReadId,
  parseTallyId,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  type TallyId,
} from './values/tally-id.js';
export {
  DATE_MAX,
  OUTSIDE_TIME_MAX,
  parseTimestamp,
  type Timestamp,
  TIMESTAMP_MAX_U64,
  toTimestamp,
} from './values/timestamp.js';
