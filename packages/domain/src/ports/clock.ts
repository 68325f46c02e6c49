import type { Timestamp } from '../timestamp.js';

/** Tells the time: of day for what is written down, monotonic for gaps between readings. */
export interface Clock {
  /** Now, in whole seconds since 1970. It may jump in either direction when the system's clock is set. */
  now(): Timestamp;
  /** Milliseconds since an arbitrary moment; never goes back and does not jump when the clock is set. */
  monotonicMs(): number;
}
