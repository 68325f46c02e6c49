import type { Lifecycle } from '../../lifecycle.js';

/** Up to which number a run of a device was heard. */
export interface Receipt {
  readonly device: string;
  readonly run: string;
  readonly number: number;
}

/**
 * Keeps up to which of its own numbers each device was heard, so that what it sends again is not taken again.
 *
 * A device counts within a run, which begins anew when it does not know any more how far it was.
 *
 * For implementors: a write resolves only when it would survive a power cut. Its cost does not grow with the number of
 * devices or runs. A damaged receipt counts as none: the device is heard again, which is better than never more.
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
