export { AttendanceService } from './attendance/attendance-service.js';
export { BACKLOG_DEFAULT_LIMIT, BACKLOG_MAX_LIMIT } from './attendance/backlog.js';
export { backOffMs } from './back-off.js';
export { ReaderMonitor, type ReaderState } from './attendance/reader-monitor.js';
export { RepeatWindow } from './attendance/repeat-window.js';
export { findHolder, mergePeople, type PeopleRow } from './people/merge-people.js';
export { carriedPages, personPages, timelinePages } from './people/people-pages.js';
export { tagsOfPersons } from './people/tags-of-persons.js';
export { PeopleService } from './people/people-service.js';
export type { PersonFields } from './people/person-fields.js';
export type { TagAct } from './people/tag-acts.js';
export {
  GUEST_TEXT_MAX_LENGTH,
  implicitPerson,
  parsePersonId,
  personOfReserved,
  reservedTallyId,
  tagOfImplicit,
  type Person,
  type PersonId,
} from './values/people/person.js';
export {
  GROUP_MAX_LENGTH,
  groupOfName,
  parseGroupId,
  parseGroupName,
  type Group,
  type GroupId,
} from './values/people/group.js';
export {
  carriedKeyOf,
  parseCarriedKey,
  plainCarried,
  toCarried,
  type CarriedKey,
  type CarriedRow,
} from './values/people/carried-row.js';
export { isReservedTallyId } from './values/tally-id.js';
export {
  parseGuestText,
  parseNumber,
  plainGroup,
  plainPerson,
  plainTimeline,
  toGroup,
  toPerson,
  toTimeline,
} from './values/people/plain-people.js';
export type { Holding, Timeline, TimelineEntry } from './values/people/timeline.js';
export type { PeopleKeys, PeopleRows, PeopleStore, TagHolder } from './ports/people/people-store.js';
export { createTallybook } from './create-tallybook.js';
export {
  counted,
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
export { JournalConsumer, type ResetReason } from './journal/journal-consumer.js';
export { ManagedResource, openAll, type Lifecycle, type OpenResources } from './lifecycle.js';
export type { AuditAction, AuditDetails, AuditNotes } from './ports/audit-notes.js';
export type { AppointmentOptions, Clock } from './ports/clock.js';
export {
  createReading,
  type IdSource,
  type ReaderConnection,
  type ReaderFault,
} from './ports/devices/id-source.js';
export {
  PUSH_MAX_READINGS,
  type PushedReadings,
  type PushResult,
  type PushSource,
} from './ports/devices/push-source.js';
export type { Indication, Indicator, Signal } from './ports/devices/indicator.js';
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
  JOURNAL_DAYS_RANGE,
  JOURNAL_LIMIT_RANGE,
  journalBounds,
  type Cursor,
  type Journal,
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
export { Emitter, type Subscribable, type Subscription } from './subscribable.js';
export type { Feature, Tallybook } from './tallybook.js';
export { Calendar, WallClock } from './time/calendar.js';
export { learnLatestScan } from './time/latest-scan.js';
export { Timekeeper, type ClockDoubt, type ClockTrust } from './time/timekeeper.js';
export { DAY_MAX, formatDay, parseDay, toDay, type Day } from './values/day.js';
export {
  createIdFormat,
  type IdFormat,
  type IdFormatOptions,
  type InspectId,
} from './values/ids/id-format.js';
export { spellingNames, type SpellingName } from './values/ids/spellings.js';
export {
  compareTallyIds,
  createMapping,
  isSameName,
  NAME_PART_MAX_LENGTH,
  parseKeptName,
  parseName,
  type Mapping,
  type Name,
} from './values/name.js';
export {
  addScan,
  mergeEntries,
  type AttendanceDay,
  type Entry,
  type RecordOutcome,
} from './values/record/attendance-day.js';
export type { AttendanceEvent, FiledScan, Scan, Reading, ReadingOutcome } from './values/record/reading.js';
export type {
  Change,
  CorrectionChange,
  DayChange,
  NameChange,
  ProvisionalChange,
  ScanChange,
} from './values/record/change.js';
export type { DetailedEntry } from './values/record/known-scans.js';
export type { Filing, ProvisionalScan } from './values/record/provisional.js';
export {
  parseReadId,
  parseTallyId,
  TALLY_ID_MAX_BYTES,
  TALLY_ID_MIN_BYTES,
  type TallyId,
} from './values/tally-id.js';
export {
  compareStamps,
  nextStamp,
  NO_STAMP,
  NOWHERE,
  STAMP_COUNTER_MAX,
  STAMP_MS_MAX,
  type Stamp,
  type StampedName,
} from './values/stamp.js';
export {
  DATE_MAX,
  parseTimestamp,
  TIMESTAMP_MAX_U64,
  toTimestamp,
  type Timestamp,
} from './values/timestamp.js';
