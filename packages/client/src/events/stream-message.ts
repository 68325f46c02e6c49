import type { TallybookClientError } from '../tallybook-client-error.js';
import type { Attendance, FailedScan } from '../values/attendance.js';
import type { NameCounts, TallyId } from '../values/names.js';

/** A message of the event stream: an event, a change of the connection, or a call to read everything again. */
export type StreamMessage = StreamEvent | Reset | Connection;

/** An event. A later stream continues after it if its `cursor` is given as `lastEventId`. */
export type StreamEvent =
  /** A tag was read. The outcome follows. */
  | { readonly kind: 'scan'; readonly cursor: string | undefined; readonly id: TallyId }
  /** A scan was recorded, or is kept until the clock is right. */
  | { readonly kind: 'attendance'; readonly cursor: string | undefined; readonly attendance: Attendance }
  /** A scan could not be recorded. */
  | { readonly kind: 'failed'; readonly cursor: string | undefined; readonly failed: FailedScan }
  /** Names have changed. The event does not say which: read them again. */
  | { readonly kind: 'names'; readonly cursor: string | undefined; readonly counts: NameCounts };

/**
 * What you have read may be out of date: read it again. The reason:
 *
 * - `opened`: the stream has just begun. What is read from now on misses nothing.
 * - `reopened`: it goes on after an interruption. Events may have been missed.
 * - `missed`: events were missed for certain, for example since the service was restarted.
 */
export interface Reset {
  readonly kind: 'reset';
  readonly reason: 'opened' | 'reopened' | 'missed';
}

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
