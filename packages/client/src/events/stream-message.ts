import type { TallybookClientError } from '../tallybook-client-error.js';
import type { Attendance, FailedScan } from '../values/attendance.js';
import type { DayChange } from '../values/days.js';
import type { NameCounts, TallyId } from '../values/names.js';

/** A message of the event stream: an event, a change of the connection, or a call to read everything again. */
export type StreamMessage = StreamEvent | Reset | Connection;

/**
 * An event. A later stream continues after it if its `cursor` is given as `lastEventId`. `scan` and `failed` have the cursor
 * of the event before, since nothing is recorded for them.
 */
export type StreamEvent =
  /** A tag was read. The outcome follows. */
  | { readonly kind: 'scan'; readonly cursor: string | undefined; readonly id: TallyId }
  /** A scan was recorded, or is kept until the clock is right. */
  | { readonly kind: 'attendance'; readonly cursor: string | undefined; readonly attendance: Attendance }
  /** A scan could not be recorded. */
  | { readonly kind: 'failed'; readonly cursor: string | undefined; readonly failed: FailedScan }
  /** Names have changed. The event does not say which: read them again. */
  | { readonly kind: 'names'; readonly cursor: string | undefined; readonly counts: NameCounts }
  /** A day was removed or corrected, or entries of a backup were merged into it: read it again. */
  | { readonly kind: 'day'; readonly cursor: string | undefined; readonly change: DayChange };

/**
 * What you have read may be out of date: read it again.
 *
 * - `opened`: the stream has just begun. What is read from now on misses nothing.
 * - `reopened`: it goes on after an interruption. Recorded scans, names and days that were missed follow. Anything else
 *   may be out of date, such as failed scans.
 *
 * The other reasons come from the service, and mean that changes may be missing: see {@link ServiceResetReason}.
 */
export type Reset =
  | { readonly kind: 'reset'; readonly reason: 'opened' | 'reopened' }
  | { readonly kind: 'reset'; readonly reason: ServiceResetReason; readonly cursor: string | undefined };

/**
 * Why changes may be missing:
 *
 * - `unknown`: the service does not know the last event, for example since its store was replaced.
 * - `too-old`: what came after the last event is not kept any more.
 * - `ahead`: the service does not know the last event yet, for example since an older copy of its store is in use again.
 * - `repaired`: its store was damaged.
 * - `erased`: a person was erased, from all days: forget what is not in the record any more.
 */
export type ServiceResetReason = 'unknown' | 'too-old' | 'ahead' | 'repaired' | 'erased';

/** State of the connection. Moments are milliseconds since 1970 by the clock of this machine. */
export type Connection =
  /** On the way; `since` is when there was a connection last, or when the first try began. */
  | { readonly kind: 'connection'; readonly state: 'connecting'; readonly since: number }
  /** `since` it was opened. */
  | { readonly kind: 'connection'; readonly state: 'open'; readonly since: number }
  /** Lost, `since` when, and why; the next try is at `until`. */
  | {
      readonly kind: 'connection';
      readonly state: 'waiting';
      readonly since: number;
      readonly until: number;
      readonly error: TallybookClientError;
    };
