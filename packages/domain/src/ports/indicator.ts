import type { TallyId } from '../values/tally-id.js';

/**
 * What the person at the reader is told.
 *
 * - `counted`: the first scan of this tag today is written down;
 * - `already-counted`: written down, and there was one before;
 * - `unknown`: written down, but the tag belongs to nobody yet;
 * - `failed`: **not** written down, try again.
 */
export type Signal = 'counted' | 'already-counted' | 'unknown' | 'failed';

export interface Indication {
  readonly signal: Signal;
  readonly id: TallyId;
  /** Name of the reader at which the person stands. */
  readonly reader: string;
}

/**
 * Tells the person at the reader what happened: a light, a buzzer, a display.
 *
 * `show` is called once per scan, after the write is durable or has failed. It must return at once and must not
 * throw; what an implementation does about its own faults is its business, recording never depends on it.
 */
export interface Indicator {
  show(indication: Indication): void;
}
