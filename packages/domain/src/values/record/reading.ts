import type { RecordOutcome } from './attendance-day.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/**
 * Outcome of a reading: `counted` or `already-counted` on its day; `provisional`, stored until the clock is trusted or the
 * day is repaired; `waiting` in memory for a store that cannot write; `repeated`, the same tap as a reading before;
 * `refused`, because the person was erased after it: it is not stored, and has no event except perhaps `scan`.
 */
export type ReadingOutcome = RecordOutcome | 'provisional' | 'waiting' | 'repeated' | 'refused';

/** An id as a reader delivers it, before any rule is applied: a tag that stays on a reader gives many readings. */
export interface Reading {
  readonly id: TallyId;
  /** Name of the reader. */
  readonly reader: string;
  readonly at: Timestamp;
  /** `Clock.monotonicMs` of the reading, for the gaps between readings. It may be long ago, and even negative. */
  readonly monotonicMs: number;
  /**
   * Whether `at` is the time of the device's own clock. That clock is trusted: the scan is recorded under this time,
   * whatever the clock of the service shows. Default: no.
   */
  readonly hasOwnTime?: boolean | undefined;
  /**
   * Set by a reader that acknowledges readings to its device. The receiver calls it at once with the work on the
   * reading. The reader acknowledges when the work resolves, and does not if it rejects, because then the reading is
   * lost. It may give up waiting after some seconds.
   */
  readonly waitUntil?: ((work: Promise<ReadingOutcome>) => void) | undefined;
}
