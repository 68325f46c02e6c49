import type { RecordOutcome } from './attendance-day.js';
import type { Day } from '../day.js';
import type { Name } from '../names/name.js';
import type { Estimate } from './provisional.js';
import type { Reading } from './reading.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/** A reading that counts as a tap. */
export interface Scan {
  readonly id: TallyId;
  readonly reader: string;
  readonly at: Timestamp;
  readonly day: Day;
}

/** Data of a scan that was provisional before. */
export interface FiledScan {
  /** Its sequence as a provisional scan. */
  readonly sequence: number;
  /** Only if the time is an estimate. */
  readonly estimate?: Estimate;
}

/**
 * Events of readings, in this order:
 *
 * - `repeated`: the tag is still on the reader; nothing else happens;
 * - `scan`: a tap, at once, before anything is written;
 * - then one of `attendance`: recorded durably, with the name if the tag has one; `provisional`: stored durably, because the
 *   clock is not right or the day is damaged, and its `attendance` follows when it is filed; or `failed`: not written. If
 *   `isKept`, it is in memory, and its `attendance` follows when the store can write again. If not, it is lost, unless the
 *   store is repaired while the service runs, or the reader sends it again;
 * - `name-unavailable`: recorded, but the name could not be read; the `attendance` follows without it.
 *
 * A scan that is refused because its person was erased after it has no event, except a `scan` if the erasure began after that
 * event.
 *
 * `trouble` belongs to no reading: provisional scans of the store could not be read or filed.
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
      /** Its time and day are those of an untrusted clock. */
      readonly scan: Scan;
      readonly sequence: number;
      /** `Clock.monotonicMs` at the tap. */
      readonly monotonicMs: number;
      readonly name: Name | undefined;
    }
  | { readonly kind: 'failed'; readonly scan: Scan; readonly error: unknown; readonly isKept: boolean }
  | { readonly kind: 'name-unavailable'; readonly scan: Scan; readonly error: unknown }
  | { readonly kind: 'trouble'; readonly error: unknown };
