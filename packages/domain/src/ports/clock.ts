import type { Subscription } from '../subscribable.js';
import type { Timestamp } from '../values/timestamp.js';

/** Options of {@link Clock.schedule}. */
export interface AppointmentOptions {
  /**
   * Whether the appointment keeps the process alive. Default: true. False is for work that is useless without other
   * work, such as a regular check of the clock.
   */
  readonly holdsProgram?: boolean;
}

/**
 * The time of day, for the record, and a monotonic time, for the gaps between readings.
 *
 * It gives the time of the system, right or wrong. The {@link Timekeeper} decides how far to trust it.
 */
export interface Clock {
  /** Now, in whole seconds since 1970. It may jump in either direction when the system's clock is set. */
  now(): Timestamp;
  /** Milliseconds since an arbitrary moment; never goes back and does not jump when the clock is set. */
  monotonicMs(): number;
  /**
   * Id of the run of the monotonic clock. Two values of `monotonicMs` can be compared if their `bootId` is equal,
   * even if they come from different processes. On Linux it is the boot id.
   */
  readonly bootId: string;
  /**
   * Whether the system's clock follows a time server or another better source; `undefined` if the system does not
   * say. The answer may be up to five minutes old.
   */
  isSynchronised(): boolean | undefined;
  /** Calls `work` once, `delayMs` milliseconds from now or later, unless the subscription ends before. */
  schedule(delayMs: number, work: () => void, options?: AppointmentOptions): Subscription;
}
