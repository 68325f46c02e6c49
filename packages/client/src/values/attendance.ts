import type { Name, TallyId } from './names.js';

/** Outcome of a scan. Moments are seconds since 1970. */
export type Attendance = RecordedAttendance | ProvisionalAttendance;

interface AnyAttendance {
  readonly id: TallyId;
  /** `null` for a tag that belongs to nobody. */
  readonly name: Name | null;
  /** `null` if whoever recorded the scan did not say. */
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
    /** That of the {@link ProvisionalAttendance}. */
    readonly sequence: number;
    /** Present if `at` is only guessed: it lies between these two. */
    readonly estimate?: { readonly earliest: number; readonly latest: number };
  };
}

/** A scan that is kept until the clock is right. A {@link RecordedAttendance} follows then. */
export interface ProvisionalAttendance extends AnyAttendance {
  readonly outcome: 'provisional';
  readonly day: null;
  readonly at: null;
  /** Place in the order of taking, from 1. */
  readonly sequence: number;
}

/** A scan that could not be recorded. */
export interface FailedScan {
  readonly id: TallyId;
  readonly reader: string;
  /** Whether it waits in memory, so that its attendance follows; if not, it is lost. */
  readonly isKept: boolean;
}
