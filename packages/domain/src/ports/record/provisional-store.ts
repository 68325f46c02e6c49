import type { Filing, ProvisionalScan } from '../../values/record/provisional.js';

/**
 * Stores provisional scans: those taken while the clock was not trusted.
 *
 * For implementors: a write resolves only when it would survive a power cut, and a write that rejects has happened as
 * a whole or not at all. Other processes may write to the same storage unless your own documentation excludes it, so
 * decide and write in one transaction. The cost of `add`, `place`, `settle` and `remove` does not grow with the number of
 * scans. It need not share its storage with the `DayStore`: a scan is filed in steps that can be repeated after a
 * power cut. Arguments are values of the domain and need no further check. Results belong to the caller, and later
 * writes do not change them.
 */
export interface ProvisionalStore {
  /**
   * Adds a scan after all other scans, including those of earlier calls that have not resolved yet. Resolves with its
   * sequence: 1 or more, and larger than every earlier sequence, including those of removed scans. Sequences may have
   * gaps. If the store has a scan with the same id, `bootId` and, exactly, `monotonicMs`, nothing changes and its
   * sequence is the result. Removed scans do not count.
   */
  add(scan: Omit<ProvisionalScan, 'sequence'>): Promise<number>;
  /**
   * All scans, settled or not, ascending by sequence. A damaged scan is left out, so that it does not hold up the
   * others. (A snapshot for a backup must reject with `STORE_CORRUPT` instead.)
   */
  list(): Promise<readonly ProvisionalScan[]>;
  /**
   * Sets the day and time of a scan without a filing. If several servers file the scan, the first one decides.
   *
   * @returns The filing of the scan afterwards; `undefined` if there is no such scan, or it was removed.
   */
  place(sequence: number, filing: Filing): Promise<Filing | undefined>;
  /**
   * Sets the day and time of a scan, in place of its earlier filing as a whole. With an unknown sequence nothing
   * happens.
   */
  settle(sequence: number, filing: Filing): Promise<void>;
  /** Removes a scan. With an unknown sequence nothing happens. */
  remove(sequence: number): Promise<void>;
}
