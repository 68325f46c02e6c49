import type { Lifecycle } from '../../lifecycle.js';

/** The largest number that was taken of a run of a device. */
export interface Receipt {
  readonly device: string;
  readonly run: string;
  readonly number: number;
}

/**
 * Keeps the largest number that was taken of each device, so that a reading that it sends again is not taken again.
 *
 * A device counts within a run, and begins another run when it has lost count.
 *
 * For implementors: a write resolves only when it would survive a power cut. Its cost does not grow with the number of
 * devices or runs. A damaged receipt counts as none: readings are taken again, which is better than never.
 *
 * In addition to the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface ReceiptStore extends Lifecycle {
  /** The largest number that was noted of a run of a device; 0 if there is none. */
  latest(device: string, run: string): Promise<number>;
  /**
   * Notes that all numbers up to this one were taken; a smaller one than before changes nothing. Of a device, the 8 runs
   * that were noted last are kept.
   *
   * @param device 1 to 64 characters.
   * @param run 1 to 64 characters.
   * @param number 1 to 2^53 - 1.
   */
  note(device: string, run: string, number: number): Promise<void>;
  /** All that is kept, by device in any order; the runs of a device in the order in which they were noted last. */
  list(): Promise<readonly Receipt[]>;
}
