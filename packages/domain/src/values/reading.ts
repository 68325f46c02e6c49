import type { TallyId } from './tally-id.js';
import type { Timestamp } from './timestamp.js';

/** What a reader delivers, before any rule is applied: a tag that rests on a reader gives many of these. */
export interface Reading {
  readonly id: TallyId;
  /** Name of the reader. */
  readonly reader: string;
  readonly at: Timestamp;
  /** When, on `Clock.monotonicMs`; gaps between readings are measured on this. */
  readonly monotonicMs: number;
  /**
   * Given by a reader that acknowledges what it took: it holds the acknowledgement back until the work is done, and gives
   * none if the work rejects, because then nothing is left of the reading. To be called at once by who takes the reading;
   * the reader may lose patience after some seconds.
   */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}
