import type * as domain from '@tallybook/domain';
import type * as access from '@tallybook/domain/access';
import type * as record from '@tallybook/domain/record';
import type * as sync from '@tallybook/domain/sync';
import { openApiDocument } from '@tallybook/http-koa';
import { expect } from 'chai';
import { expectSchema } from '../../http-koa/test/fixtures/documented.js';
import type * as client from '../src/index.js';

/** Whether the two types are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;

/** A type of the domain as JSON writes it: without brands, and with `null` for missing values. */
type Sent<T> = T extends domain.TallyId
  ? string
  : T extends domain.Day | domain.Timestamp
    ? number
    : T extends undefined
      ? null
      : T extends object
        ? { readonly [K in keyof T]: Sent<T[K]> }
        : T;

type EventOf<K extends domain.AttendanceEvent['kind']> = Extract<domain.AttendanceEvent, { kind: K }>;
type ErrorsOf<T> = T extends Partial<Record<domain.ErrorCode, number>> ? Record<string, number> : never;

/** Whether values of the client are the same as those of the domain. */
interface SameAsInTheDomain {
  readonly name: Same<client.Name, Sent<domain.Name>>;
  readonly entry: Same<
    Omit<client.Entry, 'isVoided' | 'corrections'>,
    Sent<Omit<domain.Entry, 'isCorrected'>>
  >;
  readonly correction: Same<client.NewCorrection, Sent<record.CorrectionRequest>>;
  readonly corrected: Same<
    Omit<client.Correction, 'decidedBy' | 'decidedAt' | 'decisionReason'>,
    Sent<Omit<record.Correction, 'decision'>>
  >;
  readonly format: Same<client.IdFormat, domain.SpellingName>;
  readonly backlog: Same<client.Backlog, Sent<domain.AttendanceService['backlog']>>;
  readonly outcome: Same<client.RecordedAttendance['outcome'], EventOf<'attendance'>['outcome']>;
  readonly replaced: Same<Awaited<ReturnType<client.TallybookClient['assignName']>>, 'added' | 'replaced'>;
  readonly doubt: Same<client.DoubtedTime['doubt'], domain.ClockDoubt>;
  readonly basis: Same<client.TrustedTime['basis'], Extract<domain.ClockTrust, { isTrusted: true }>['basis']>;
  readonly connection: Same<client.ReaderState['connection'], domain.ReaderConnection>;
  readonly reader: Same<keyof client.ReaderState, keyof domain.ReaderState>;
  readonly faults: Same<client.ReaderState['faults'], Readonly<ErrorsOf<domain.ReaderState['faults']>>>;
  readonly role: Same<client.Role, access.Role>;
  readonly action: Same<client.Action, access.Action>;
  readonly user: Same<Omit<client.User, 'provider'>, Sent<Omit<access.UserView, 'identity'>>>;
  readonly credential: Same<keyof client.Credential, keyof access.CredentialView | 'isCurrent'>;
  readonly batch: Same<keyof client.SyncBatch, keyof sync.SyncBatch>;
  readonly syncedName: Same<client.SyncedName, Sent<sync.NameItem>>;
  readonly answer: Same<keyof client.SyncAnswer, keyof sync.SyncAnswer>;
  readonly changes: Same<keyof client.SyncChanges, keyof sync.SyncChanges>;
  readonly waiting: Same<
    client.WaitingScan,
    Sent<Pick<domain.ProvisionalScan, 'sequence' | 'id' | 'reader' | 'shown' | 'notBefore'>>
  >;
}
// Does not compile if one of them differs.
true satisfies SameAsInTheDomain[keyof SameAsInTheDomain] extends true ? true : never;

const id = '04A2B3C4D5';
const name: client.Name = { first: 'Ada', last: 'Lovelace' };
const lastSeen = { at: 1, day: 2, reader: 'door' };
const reading = { id, format: 'dec10', name, lastSeen } as const;
const refused = {
  ...{ line: 3, code: 'AMBIGUOUS_TALLY_ID', message: 'id: may be two tags' },
  readings: [{ id, format: 'hex' }],
} as const;
const change: Required<client.NameChange> = {
  ...{ line: 2, id, before: null, after: name },
  ...{ text: '0006547886', format: 'dec10', lastSeen },
};
const time = { day: 1, zone: 'UTC', dayStart: '04:00', time: 1, latestScan: null, suspectScan: 9 };
const correct = { action: 'void', day: 1, id, at: 2, reason: 'Not me' } as const;
const correction: Required<client.Correction> = {
  ...{ ...correct, number: 1, author: 'desk', madeAt: 3, state: 'rejected' },
  ...{ decidedBy: 'boss', decidedAt: 4, decisionReason: 'It was you' },
};
const entry: Required<client.Entry> = {
  ...{ id, first: 1, last: 2, count: 3 },
  ...{ isVoided: true, corrections: [correction] },
};
const scan = { sequence: 1, id, reader: 'door' };
const attendance = { id, name, reader: 'door' };
const recorded = { ...attendance, outcome: 'counted' as const, day: 1, at: 2 };
const day: Required<client.DetailedDay> = { date: 1, ids: [id], entries: [entry] };
const reader: client.ReaderState = {
  name: 'door',
  kind: 'serial',
  connection: 'waiting',
  since: 1,
  faultySince: 2,
  lastReading: null,
  faults: { READER_DISCONNECTED: 1 },
  lastFault: { code: 'READER_DISCONNECTED', message: 'gone', at: 1 },
};

const publisher: client.PublisherState = {
  name: 'home',
  connection: 'waiting',
  waiting: 7,
  setAside: 2,
  isStopped: true,
  lastFault: reader.lastFault,
};
const notTaken = { run: 'a', cursor: 1, at: 2, code: 'DAY_NOT_KEPT', message: 'too old' };
const notTakenItem = { cursor: 1, code: 'DAY_NOT_KEPT', message: 'too old' };
const upstream: client.UpstreamState = {
  ...{ centre: 'centre.example.org', connection: 'waiting', waiting: 1, oldestWaitingAt: 1 },
  ...{ lastContactAt: null, refused: [notTakenItem], refusedCount: 1 },
  lastFault: reader.lastFault,
};
const syncedName = { kind: 'name', id, name: null, stamp: { ms: 1, counter: 0, node: 'a' } } as const;

const status: client.ServiceStatus = {
  version: '1.2.3',
  startedAt: 1,
  storage: { freeBytes: 1, usedBytes: null },
  publishers: [publisher],
  upstream,
};

const guess: client.EncodingGuess = { encoding: 'macintosh', words: ['Zoë'] };
const listReading: client.ListReading = {
  encoding: 'macintosh',
  guesses: [guess],
  titles: ['Karte', 'Vorname'],
  columns: { id: 1, first: 2, last: null },
  withoutTag: 1,
  remarks: ['1 person without a tag is left out.'],
};

const presence: client.Presence = { first: 1, last: 2, scans: 3 };
const person: client.Person = { name: null, ids: [id], days: { 1: presence } };

const half = '0'.repeat(32);
const erasedTag = { id, hasName: true, days: 1, scans: 2, provisional: 0, corrections: 1, changes: 3 };

/** Values with all members that their types allow. Members missing in the type or in the schema show here. */
const whole: Readonly<Record<string, readonly object[]>> = {
  Name: [name] satisfies Required<client.Name>[],
  Mapping: [{ [id]: name }] satisfies client.Mapping[],
  NameCounts: [{ added: 1, changed: 2, removed: 3 }] satisfies Required<client.NameCounts>[],
  UnnamedTag: [{ id, at: 1, day: 2, scans: 3, reader: 'door' }] satisfies Required<client.UnnamedTag>[],
  RefusedLine: [refused] satisfies Required<client.RefusedLine>[],
  LastSeen: [lastSeen] satisfies Required<client.LastSeen>[],
  IdReading: [reading] satisfies Required<client.IdReading>[],
  IdReadings: [{ readings: [reading], formats: ['dec10'] }] satisfies Required<client.IdReadings>[],
  ListedChange: [change] satisfies Required<client.NameChange>[],
  NameListReport: [
    {
      dryRun: true,
      added: 1,
      changed: 0,
      same: 0,
      changes: [change],
      refused: [refused],
      reading: listReading,
    },
  ] satisfies Required<client.ImportReport>[],
  ListReading: [listReading] satisfies Required<client.ListReading>[],
  EncodingGuess: [guess] satisfies Required<client.EncodingGuess>[],
  Entry: [entry] satisfies Required<client.Entry>[],
  AttendanceDay: [day],
  // The client adds the format.
  NewCorrection: [{ ...correct, format: 'hex' }],
  Correction: [correction],
  Decision: [
    { number: 1, approve: true, reason: 'I saw it' },
  ] satisfies Required<client.CorrectionDecision>[],
  Scans: [{ at: [1], added: [2], voided: [1] }] satisfies Required<client.Scans>[],
  Presence: [presence] satisfies Required<client.Presence>[],
  Person: [person] satisfies Required<client.Person>[],
  Table: [{ days: [1], people: [person] }] satisfies Required<client.Table>[],
  Attendance: [
    { ...recorded, filed: { sequence: 1, estimate: { earliest: 1, latest: 2 } } },
    { ...attendance, outcome: 'provisional', day: null, at: null, sequence: 1 },
  ] satisfies (Required<client.RecordedAttendance> | Required<client.ProvisionalAttendance>)[],
  DayChange: [{ day: 1, change: 'merged' }] satisfies Required<client.DayChange>[],
  Reset: [{ reason: 'too-old' }] satisfies Pick<client.Reset, 'reason'>[],
  Failed: [{ id, reader: 'door', isKept: true }] satisfies Required<client.FailedScan>[],
  Time: [
    { ...time, isTrusted: true, basis: 'set' },
    { ...time, isTrusted: false, doubt: 'before-build' },
  ] satisfies (Required<client.TrustedTime> | Required<client.DoubtedTime>)[],
  Today: [
    {
      now: { ...time, isTrusted: true, basis: 'set' },
      entries: [{ id, first: 1, last: 2, count: 1 }],
      waiting: [{ ...scan, shown: 1, notBefore: 0 }],
    },
  ] satisfies Required<client.Today>[],
  WaitingScan: [{ ...scan, shown: 1, notBefore: 0 }] satisfies Required<client.WaitingScan>[],
  Provisional: [
    {
      waiting: [{ ...scan, shown: 1, notBefore: 0 }],
      estimated: [{ ...scan, day: 1, at: 2, earliest: 1, latest: 3 }],
    },
  ] satisfies Required<client.Provisional>[],
  Backlog: [{ waiting: 0, limit: 1, refused: 0 }] satisfies Required<client.Backlog>[],
  Status: [status] satisfies Required<client.ServiceStatus>[],
  Storage: [status.storage ?? {}],
  Publisher: [publisher] satisfies Required<client.PublisherState>[],
  ErasedTag: [erasedTag] satisfies Required<client.ErasedTag>[],
  ErasureReport: [
    { dryRun: true, tags: [erasedTag], until: 1, backupsWithIt: [], formerFiles: [], isScrubbed: false },
  ] satisfies Required<client.ErasureReport>[],
  Erasure: [
    { key: half, digest: half, until: 1, expiresAt: 2, state: 'removed' },
  ] satisfies Required<client.Erasure>[],
  Retention: [
    {
      ...{ dryRun: true, keep: '24months', firstKept: 2, backups: [], doubt: 'many-days' },
      days: [{ day: 1, entries: 1 }],
    },
  ] satisfies Required<client.Retention>[],
  Upstream: [upstream] satisfies Required<client.UpstreamState>[],
  RefusedNote: [notTaken] satisfies Required<client.RefusedByCentre>[],
  Station: [
    {
      ...{ name: 'hall', version: '1.0.0', heardAt: 1, waiting: 2, oldestWaitingAt: null },
      ...{ provisional: 0, isClockTrusted: true, run: 'a', acknowledged: 3, refused: [notTaken] },
    },
  ] satisfies Required<client.Station>[],
  NameStamp: [syncedName.stamp] satisfies Required<client.NameStamp>[],
  SyncBatch: [
    {
      ...{ run: 'a', after: 0, through: 3, isRestart: true },
      items: [
        { ...syncedName, cursor: 1 },
        {
          ...{ kind: 'scan', cursor: 2, day: 1, id, at: 2, reader: 'door' },
          filed: { sequence: 1, estimate: { earliest: 1, latest: 2 } },
        },
        { kind: 'entries', cursor: 3, day: 1, entries: [{ id, first: 1, last: 2, count: 3 }] },
      ],
      status: { waiting: 0, oldestWaitingAt: 1, provisional: 0, isClockTrusted: true, version: '1.0.0' },
    },
  ] satisfies Required<client.SyncBatch>[],
  SyncAnswer: [
    {
      ...{ run: 'a', acknowledged: 3, superseded: [syncedName], keepFrom: 1, now: 2 },
      refused: [{ cursor: 1, code: 'TAG_ERASED', message: 'erased' }],
      erasures: [{ key: half, digest: half, from: 0, until: 1, expiresAt: 2 }],
    },
  ] satisfies Required<client.SyncAnswer>[],
  SyncChanges: [
    {
      ...{ origin: 'a', cursor: 7, erasureKey: half, keepFrom: 1, now: 2 },
      items: [
        syncedName,
        { kind: 'day', day: 1 },
        { kind: 'erasure', erasure: { key: half, digest: half, from: 0, until: 1, expiresAt: 2 } },
        { kind: 'correction', correction: {} },
      ],
    },
  ] satisfies Required<client.SyncChanges>[],
  Fault: [reader.lastFault ?? {}],
  Reader: [reader] satisfies Required<client.ReaderState>[],
};

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

describe('the values of the client', () => {
  for (const [schema, values] of Object.entries(whole)) {
    it(`are those of the OpenAPI document: ${schema}`, () => {
      for (const value of values) expectSchema(schema, value);
      const { properties } = openApiDocument.components.schemas[schema] as ObjectSchema;
      const used = new Set(values.flatMap((value) => Object.keys(value)));
      if (properties !== undefined) expect([...used]).to.have.members(Object.keys(properties));
    });
  }
});
