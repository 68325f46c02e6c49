import type { Subscription } from '../subscribable.js';
import type { Timestamp } from '../timestamp.js';

/** How a {@link Clock} keeps an appointment. */
export interface AppointmentOptions {
  /**
   * Whether the program goes on until then if nothing else keeps it. Default: yes, because somebody waits for it.
   * No is for what only serves others, such as a look at the clock now and then.
   */
  readonly holdsProgram?: boolean;
}

/**
 * Tells the time: of day for what is written down, monotonic for gaps between readings.
 *
 * It says what the system says, right or wrong. How far that can be trusted is for the {@link Timekeeper} to decide.
 */
export interface Clock {
  /** Now, in whole seconds since 1970. It may jump in either direction when the system's clock is set. */
  now(): Timestamp;
  /** Milliseconds since an arbitrary moment; never goes back and does not jump when the clock is set. */
  monotonicMs(): number;
  /**
   * Names the run of the monotonic clock: two of its values can be compared if this was the same for both, even if
   * they come from different processes. On Linux it is the boot id.
   */
  readonly bootId: string;
  /**
   * Whether the system's clock follows a time server, or another source that is better than itself; `undefined` where
   * the system does not say. It may be up to five minutes
   * old.
   */
  isSynchronised(): boolean | undefined;
  /** Calls `work` once, at least so many milliseconds from now, unless the subscription ends before. */
  schedule(delayMs: number, work: () => void, options?: AppointmentOptions): Subscription;
}
