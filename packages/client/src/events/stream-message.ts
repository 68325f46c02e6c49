import type {
  Attendance,
  DayChange,
  FailedScan,
  NameCounts,
  PeopleCounts,
  ResetReason,
  TallyId,
} from '@tallybook/http-contract';
import { TallybookClientError } from '../tallybook-client-error.js';
import type { ServerSentEvent } from './event-parser.js';

/** A message of the event stream: an event, a change of the connection, or a call to read everything again. */
export type StreamMessage = StreamEvent | Reset | Connection;

/**
 * An event. A later stream continues after it if you give its `cursor` as `lastEventId`. `scan` and `failed` have the cursor
 * of the event before, since they are not in the record.
 */
export type StreamEvent =
  /** A tag was read. The outcome follows. */
  | { readonly kind: 'scan'; readonly cursor: string | undefined; readonly id: TallyId }
  /** A scan was recorded, or is stored until the clock is trusted. */
  | { readonly kind: 'attendance'; readonly cursor: string | undefined; readonly attendance: Attendance }
  /** A scan could not be recorded. */
  | { readonly kind: 'failed'; readonly cursor: string | undefined; readonly failed: FailedScan }
  /** Names have changed. The event does not say which: read them again. */
  | { readonly kind: 'names'; readonly cursor: string | undefined; readonly counts: NameCounts }
  /** Persons, or the holders of tags, have changed. The event does not say which: read them again. */
  | { readonly kind: 'people'; readonly cursor: string | undefined; readonly counts: PeopleCounts }
  /** A day was removed or corrected, or entries of a backup were merged into it: read it again. */
  | { readonly kind: 'day'; readonly cursor: string | undefined; readonly change: DayChange };

/**
 * Data that you have read may be out of date: read it again.
 *
 * - `opened`: the stream has just begun. Data that you read from now on misses no change.
 * - `reopened`: the stream goes on after an interruption. Missed events of recorded scans, names, people and days follow. Other
 *   data may be out of date, such as failed scans.
 *
 * The other reasons come from the service, and mean that changes may be missing: see {@link ServiceResetReason}.
 */
export type Reset =
  | { readonly kind: 'reset'; readonly reason: 'opened' | 'reopened' }
  | { readonly kind: 'reset'; readonly reason: ServiceResetReason; readonly cursor: string | undefined };

/**
 * Why changes may be missing:
 *
 * - `unknown`: the service does not know the last event, for example because its store was replaced.
 * - `too-old`: the service no longer has the events after the last one.
 * - `ahead`: the last event is later than all events of the service, for example because an older copy of its store is
 *   in use again.
 * - `repaired`: its store was damaged.
 * - `erased`: a person was erased from all days: forget all data that is no longer in the record.
 */
export type ServiceResetReason = ResetReason;

/** State of the connection. Times are milliseconds since 1970 by the clock of this machine. */
export type Connection =
  /** A connection is being opened. `since`: as for `waiting`, or the time at which the first try began. */
  | { readonly kind: 'connection'; readonly state: 'connecting'; readonly since: number }
  /** `since`: time at which it was opened. */
  | { readonly kind: 'connection'; readonly state: 'open'; readonly since: number }
  /**
   * The connection was lost, or not opened, because of `error`. The next try is at `until`. `since`: the last time at which the
   * service was heard.
   */
  | {
      readonly kind: 'connection';
      readonly state: 'waiting';
      readonly since: number;
      readonly until: number;
      readonly error: TallybookClientError;
    };

/** The message of an event; `undefined` for an unknown type, which newer services may send. */
export function toMessage(
  { type, data }: ServerSentEvent,
  cursor: string | undefined,
): StreamMessage | undefined {
  switch (type) {
    case 'msg':
      return { kind: 'scan', cursor, id: data };
    case 'attendance':
      return { kind: 'attendance', cursor, attendance: parse(data) as Attendance };
    case 'failed':
      return { kind: 'failed', cursor, failed: parse(data) as FailedScan };
    case 'names':
      return { kind: 'names', cursor, counts: parse(data) as NameCounts };
    case 'people':
      return { kind: 'people', cursor, counts: parse(data) as PeopleCounts };
    case 'day':
      return { kind: 'day', cursor, change: parse(data) as DayChange };
    case 'reset':
      return { kind: 'reset', cursor, reason: (parse(data) as { reason: ServiceResetReason }).reason };
    default:
      return undefined;
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new TallybookClientError('invalid-answer', 'the data of an event is not JSON', { cause });
  }
}
