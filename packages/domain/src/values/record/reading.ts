import type { RecordOutcome } from './attendance-day.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/**
 * Outcome of a reading: `counted` or `already-counted` on its day; `provisional`, stored until the clock is right or the day
 * is repaired; `waiting` in memory for a store that cannot write; `repeated`, the same tap as one before; `refused`, because
 * the person was erased after it: nothing of it is kept, and no event tells of it.
 */
export type ReadingOutcome = RecordOutcome | 'provisional' | 'waiting' | 'repeated' | 'refused';

/** An id as a reader delivers it, before any rule is applied: a tag that stays on a reader gives many of these. */
export interface Reading {
  readonly id: TallyId;
  /** Name of the reader. */
  readonly reader: string;
  readonly at: Timestamp;
  /** `Clock.monotonicMs` of the reading, for the gaps between readings. It may be long ago, and negative. */
  readonly monotonicMs: number;
  /**
   * Whether `at` is the time of a clock of the device's own, which is trusted: the scan is filed under it, whatever the
   * clock of the service shows. Default: no.
   */
  readonly hasOwnTime?: boolean | undefined;
  /**
   * Set by a reader that acknowledges readings to its device. The receiver calls it at once with the work on the
   * reading. The reader acknowledges when the work resolves, and does not if it rejects, because then the reading is
   * lost. It may give up waiting after some seconds.
   */
  readonly waitUntil?: ((work: Promise<ReadingOutcome>) => void) | undefined;
}
