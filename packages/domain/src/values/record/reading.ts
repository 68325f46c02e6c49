import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';
import type { Day } from '../day.js';
import type { Name } from '../name.js';
import type { PersonId } from '../people/person.js';
import type { RecordOutcome } from './attendance-day.js';
import type { Estimate } from './provisional.js';

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
 * - then one of `attendance`: recorded durably, with the holder of the tag; `provisional`: stored durably, because the
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
      /** The name of the holder of the tag in that second. */
      readonly name: Name | undefined;
      /** Absent if nobody held the tag, or the storage knows no persons. */
      readonly person?: PersonId;
      /** The tag was lost then: the scan counts for nobody. */
      readonly isLost?: true;
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
      /** Those of the present holder while the time is unknown. */
      readonly name: Name | undefined;
      readonly person?: PersonId;
      readonly isLost?: true;
    }
  | { readonly kind: 'failed'; readonly scan: Scan; readonly error: unknown; readonly isKept: boolean }
  | { readonly kind: 'name-unavailable'; readonly scan: Scan; readonly error: unknown }
  | { readonly kind: 'trouble'; readonly error: unknown };
