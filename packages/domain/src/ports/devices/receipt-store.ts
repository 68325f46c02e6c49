/** The largest taken number in a run of a device. */
export interface Receipt {
  readonly device: string;
  readonly run: string;
  readonly number: number;
}

/**
 * Keeps the largest taken number of each device, so that a reading that is sent again is not taken again.
 *
 * A device counts within a run, and begins another run when it has lost count.
 *
 * For implementors: a write resolves only when it would survive a power cut. Its cost does not grow with the number of
 * devices or runs. A damaged receipt counts as none: readings that are taken again are better than lost readings.
 */
export interface ReceiptStore {
  /** The largest noted number in a run of a device; 0 if there is none. */
  latest(device: string, run: string): Promise<number>;
  /**
   * Notes that all numbers up to this one were taken; a number smaller than before changes nothing. The 8 runs of a
   * device that were noted last are kept.
   *
   * @param device 1 to 64 characters.
   * @param run 1 to 64 characters.
   * @param number 1 to 2^53 - 1.
   */
  note(device: string, run: string, number: number): Promise<void>;
  /** All receipts. Devices are in any order; the runs of a device are together, the one noted last at the end. */
  list(): Promise<readonly Receipt[]>;
}
