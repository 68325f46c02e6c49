import { correctionOperations } from './operations/corrections.js';
import { dayOperations } from './operations/days.js';
import { eventOperations } from './operations/events.js';
import { importOperations } from './operations/import.js';
import { nameOperations } from './operations/names.js';
import { passkeyOperations } from './operations/passkeys.js';
import { peopleOperations } from './operations/people.js';
import { personalOperations } from './operations/personal.js';
import { rangeOperations } from './operations/ranges.js';
import { readerOperations } from './operations/readers.js';
import { serviceOperations } from './operations/service.js';
import { settingOperations } from './operations/settings.js';
import { signInOperations } from './operations/sign-in.js';
import { syncOperations } from './operations/sync.js';
import { timeOperations } from './operations/time.js';
import { userOperations } from './operations/users.js';

export {
  JSON_MAX_BYTES,
  cached,
  empty,
  fields,
  file,
  json,
  jsonBody,
  operation,
  refusal,
  type Address,
  type Answer,
  type AnswerOf,
  type Answers,
  type Body,
  type BodyOf,
  type Cases,
  type Content,
  type Method,
  type Operation,
  type Operations,
  type ParamsOf,
  type QueryOf,
  type Requirement,
  type Instead,
  type StatusOf,
} from './operation.js';
export {
  array,
  boolean,
  component,
  definition,
  described,
  either,
  integer,
  isOptional,
  named,
  number,
  object,
  oneOf,
  optional,
  orNull,
  parsed,
  record,
  schemaOf,
  string,
  type Fields,
  type FormatOf,
  type ObjectOf,
  type Optional,
  type Schema,
  type TypeOf,
} from './schema.js';
export { Day, type IdFormat, inFormat, ofDays, TallyId, Timestamp, TypedId } from './values.js';
export type { Passkey, PasskeyAnswer } from './operations/passkeys.js';
export type { Role, Session } from './operations/sign-in.js';
export type { Credential, Token, User, UserProvider } from './operations/users.js';
export type { Correction, NewCorrection, Scans } from './operations/corrections.js';
export type {
  AttendanceDay,
  DetailedDay,
  Backlog,
  Entry,
  Provisional,
  Today,
  TodayPerson,
  WaitingScan,
} from './operations/days.js';
export type {
  Attendance,
  DayChange,
  FailedScan,
  NameCounts,
  PeopleCounts,
  RecordedAttendance,
  ResetReason,
} from './operations/events.js';
export type {
  EncodingGuess,
  IdReading,
  LastSeen,
  ListReading,
  Mapping,
  Name,
  RefusedLine,
  UnnamedTag,
} from './operations/names.js';
export type { ImportChoices, ImportedPerson, ImportReport, ImportRow } from './operations/import.js';
export type {
  Group,
  Groups,
  Guest,
  Membership,
  PeoplePage,
  PersonDetail,
  PersonSummary,
  TagActReport,
  TagHolding,
  TagMove,
} from './operations/people.js';
export type { ErasedTag, Erasure, ErasureReport, Retention } from './operations/personal.js';
export type { Presence, Table, TableGroup, TablePerson } from './operations/ranges.js';
export type { PushResult, PushResults, ReaderState, ReportedFault } from './operations/readers.js';
export type {
  AuditEntry,
  AuditPage,
  Health,
  HealthStatus,
  PartHealth,
  PublisherState,
  RestoreReport,
  ServiceStatus,
  StorageState,
} from './operations/service.js';
export type {
  BackupPlace,
  FoundReader,
  ReaderTrial,
  SettingState,
  Settings,
  StoredSetting,
} from './operations/settings.js';
export type {
  Stamp,
  RefusedItem,
  Station,
  SyncAnswer,
  SyncBatch,
  SyncChanges,
  UpstreamState,
} from './operations/sync.js';
export type { ServiceTime } from './operations/time.js';
export { FILE_MAX_BYTES, LIST_TYPES } from './operations/import.js';
export { UNNAMED_DEFAULT_DAYS } from './operations/names.js';
export { PEOPLE_DEFAULT_LIMIT, tagActs } from './operations/people.js';
export { PUSH_MAX_BYTES } from './operations/readers.js';
export { AUDIT_DEFAULT_LIMIT, BACKUP_TYPES } from './operations/service.js';
export { READER_TRIAL_SECONDS, storedSettings } from './operations/settings.js';
export { TIME_MAX_SECONDS } from './operations/time.js';

/** Every operation of the interface, in the order of the reference. */
export const operations = {
  ...nameOperations,
  ...importOperations,
  ...peopleOperations,
  ...dayOperations,
  ...correctionOperations,
  ...rangeOperations,
  ...eventOperations,
  ...timeOperations,
  ...readerOperations,
  ...syncOperations,
  ...serviceOperations,
  ...settingOperations,
  ...personalOperations,
  ...signInOperations,
  ...userOperations,
  ...passkeyOperations,
};

type All = typeof operations;

/** The operations of a Tallybook service, with their types. */
// An interface has a short name in messages of the compiler.
// oxlint-disable-next-line typescript/no-empty-object-type
export interface TallybookOperations extends All {}
