export type { EventStream, EventStreamOptions } from './events/event-stream.js';
export type {
  Connection,
  Reset,
  ServiceResetReason,
  StreamEvent,
  StreamMessage,
} from './events/stream-message.js';
export type {
  CallOptions,
  CsvOptions,
  DryRunOptions,
  FormatOptions,
  ImportOptions,
  NameList,
  ReadOptions,
  XlsxOptions,
} from './requests/call-options.js';
export type { Download, HeaderFields, TransportOptions } from './requests/transport.js';
export { TallybookClient } from './tallybook-client.js';
export { TallybookClientError, type FailureKind } from './tallybook-client-error.js';
export type {
  Action,
  Credential,
  NewToken,
  NewUser,
  Role,
  Session,
  Token,
  User,
  UserProvider,
  AuditEntry,
  AuditPage,
  Passkey,
  PasskeyOptions,
} from './values/access.js';
export type {
  Attendance,
  FailedScan,
  ProvisionalAttendance,
  RecordedAttendance,
} from './values/attendance.js';
export type { Correction, CorrectionDecision, NewCorrection, Scans } from './values/corrections.js';
export type {
  AttendanceDay,
  DayChange,
  DayChoice,
  DetailedDay,
  Entry,
  Person,
  Presence,
  Table,
  TimeRange,
  Today,
} from './values/days.js';
export type {
  EncodingGuess,
  IdFormat,
  IdReading,
  IdReadings,
  ImportReport,
  LastSeen,
  ListReading,
  Mapping,
  Name,
  NameChange,
  NameCounts,
  RefusedLine,
  TallyId,
  UnnamedTag,
} from './values/names.js';
export type { ErasedTag, Erasure, ErasureReport, Retention } from './values/personal.js';
export type {
  Backlog,
  DoubtedTime,
  EstimatedScan,
  Health,
  HealthStatus,
  PartHealth,
  Provisional,
  PublisherState,
  PushedReading,
  PushResult,
  PushResults,
  ReaderState,
  ReportedFault,
  ServiceStatus,
  ServiceTime,
  StorageState,
  TrustedTime,
  UpstreamState,
  WaitingScan,
} from './values/service-state.js';
export type {
  NameStamp,
  RefusedByCentre,
  Station,
  SyncAnswer,
  SyncBatch,
  SyncChanges,
  SyncedCorrection,
  SyncedDay,
  SyncedEntries,
  SyncedErasure,
  SyncedName,
  SyncedScan,
  SyncPosition,
} from './values/sync.js';
