import type { Name, TallyId } from './names.js';

/** Outcome of a scan. Times are seconds since 1970. */
export type Attendance = RecordedAttendance | ProvisionalAttendance;

interface AnyAttendance {
  readonly id: TallyId;
  /** `null` for a tag without a name. */
  readonly name: Name | null;
  /** `null` if the reader is unknown. */
  readonly reader: string | null;
}

/** A recorded scan. */
export interface RecordedAttendance extends AnyAttendance {
  /** `counted` for the first scan of the tag on that day. */
  readonly outcome: 'counted' | 'already-counted';
  readonly day: number;
  readonly at: number;
  /** Present if the scan was provisional before. */
  readonly filed?: {
    /** The sequence of the {@link ProvisionalAttendance}. */
    readonly sequence: number;
    /** Present if `at` is an estimate: its bounds. */
    readonly estimate?: { readonly earliest: number; readonly latest: number };
  };
}

/** A scan that is stored until the clock is trusted. Then a {@link RecordedAttendance} follows. */
export interface ProvisionalAttendance extends AnyAttendance {
  readonly outcome: 'provisional';
  readonly day: null;
  readonly at: null;
  /** Number in the order of the taps, from 1. */
  readonly sequence: number;
}

/** A scan that could not be recorded. */
export interface FailedScan {
  readonly id: TallyId;
  readonly reader: string;
  /** Whether it waits in memory, so that its attendance follows; if not, it is lost. */
  readonly isKept: boolean;
}
