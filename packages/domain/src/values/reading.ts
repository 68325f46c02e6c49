import type { TallyId } from './tally-id.js';
import type { Timestamp } from './timestamp.js';

/** An id as a reader delivers it, before any rule is applied: a tag that stays on a reader gives many of these. */
export interface Reading {
  readonly id: TallyId;
  /** Name of the reader. */
  readonly reader: string;
  readonly at: Timestamp;
  /** `Clock.monotonicMs` of the reading, for the gaps between readings. */
  readonly monotonicMs: number;
  /**
   * Set by a reader that acknowledges readings to its device. The receiver calls it at once with the work on the
   * reading. The reader acknowledges when the work resolves, and does not if it rejects, because then the reading is
   * lost. It may give up waiting after some seconds.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}
