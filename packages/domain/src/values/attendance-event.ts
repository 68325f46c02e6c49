import type { RecordOutcome } from './attendance-day.js';
import type { Day } from './day.js';
import type { Name } from './name.js';
import type { Estimate } from './provisional.js';
import type { Reading } from './reading.js';
import type { TallyId } from './tally-id.js';
import type { Timestamp } from './timestamp.js';

/** A reading that was accepted as a tap of its own. */
export interface Scan {
  readonly id: TallyId;
  readonly reader: string;
  readonly at: Timestamp;
  readonly day: Day;
}

/** That a scan was provisional before, and how well its time is known. */
export interface FiledScan {
  /** The sequence that it had as a provisional scan. */
  readonly sequence: number;
  /** Given if the time is not known but only guessed. */
  readonly estimate?: Estimate;
}

/**
 * What becomes of readings, in the order in which it happens:
 *
 * - `repeated`: the tag still rests on the reader, nothing else happens;
 * - `scan`: accepted, at once, before anything is written;
 * - then one of `attendance`: durably written down, with the name if the tag has one; `provisional`: durably kept, its
 *   day and time are not known until the clock is right, or its day is damaged and waits for a repair, and its
 *   `attendance` follows then; or `failed`: not written.
 *   What failed and `isKept` in memory is written when the store is well again, and its `attendance` follows then;
 * - `name-unavailable`: written down, but the name could not be read; the `attendance` follows without it.
 *
 * And, of no reading in particular, `trouble`: what a store holds from earlier could not be read, or not be filed.
 */
export type AttendanceEvent =
  | { readonly kind: 'repeated'; readonly reading: Reading }
  | { readonly kind: 'scan'; readonly scan: Scan }
  | {
      readonly kind: 'attendance';
      readonly scan: Scan;
      readonly outcome: RecordOutcome;
      readonly name: Name | undefined;
      /** Given if the scan was provisional before. */
      readonly filed?: FiledScan;
    }
  | {
      readonly kind: 'provisional';
      /** Its time and day are what a clock shows that cannot be trusted. */
      readonly scan: Scan;
      readonly sequence: number;
      readonly name: Name | undefined;
    }
  | { readonly kind: 'failed'; readonly scan: Scan; readonly error: unknown; readonly isKept: boolean }
  | { readonly kind: 'name-unavailable'; readonly scan: Scan; readonly error: unknown }
  | { readonly kind: 'trouble'; readonly error: unknown };
