import type { Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';

/**
 * Outcome of a tap for the person at the reader:
 *
 * - `counted`: recorded, the first scan of this tag today;
 * - `already-counted`: recorded, after an earlier scan of this tag today;
 * - `unknown`: recorded, but the tag has no name;
 * - `failed`: **not** recorded, try again.
 */
export type Signal = 'counted' | 'already-counted' | 'unknown' | 'failed';

export interface Indication {
  readonly signal: Signal;
  readonly id: TallyId;
  /** Name of the tag. Absent if it has none, if it could not be read, or if the scan was not recorded. */
  readonly name?: Name;
  /** Name of the reader at which the person stands. */
  readonly reader: string;
}

/**
 * Shows the outcome of a tap to the person at the reader: a light, a buzzer, a display.
 *
 * `show` is called once for each scan, after the write is durable or has failed. It must return at once and must not
 * throw. It handles its own faults; recording never depends on it.
 */
export interface Indicator {
  show(indication: Indication): void;
}
