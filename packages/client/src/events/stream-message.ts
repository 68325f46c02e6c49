import type { TallybookClientError } from '../tallybook-client-error.js';
import type { Attendance, FailedScan } from '../values/attendance.js';
import type { NameCounts, TallyId } from '../values/names.js';

/** What an event stream tells: what happened, what became of the connection, and when to read everything anew. */
export type StreamMessage = StreamEvent | Reset | Connection;

/** Something that happened. With its `cursor` as `lastEventId` a later stream goes on after it. */
export type StreamEvent =
  /** A tag was read. What becomes of it follows. */
  | { readonly kind: 'scan'; readonly cursor: string | undefined; readonly id: TallyId }
  /** It is written down, or kept until the clock is right. */
  | { readonly kind: 'attendance'; readonly cursor: string | undefined; readonly attendance: Attendance }
  /** It could not be written down. */
  | { readonly kind: 'failed'; readonly cursor: string | undefined; readonly failed: FailedScan }
  /** Names have changed. Which ones is not said: read them anew. */
  | { readonly kind: 'names'; readonly cursor: string | undefined; readonly counts: NameCounts };

/**
 * Whatever was read before may be out of date: read it anew. Why:
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
