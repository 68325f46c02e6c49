import type { Lifecycle } from '../lifecycle.js';
import type { Filing, ProvisionalScan } from '../values/provisional.js';

/**
 * Keeps the scans that were taken while the clock could not be trusted, until it can.
 *
 * For implementors: a write resolves only when it would survive a power cut, and one that rejects is there as a whole
 * or not at all. Other processes may write to the same storage unless your own documentation rules it out, so decide
 * and write in one transaction. The cost of `add`, `settle` and `remove` does not grow with the number of scans that are
 * kept. It need not share its storage with the `DayStore`: a scan is filed in steps that can be repeated after a power
 * cut. Arguments are values of the domain and need no further check; what is returned belongs to the caller and later
 * writes do not change it.
 *
 * Beside the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface ProvisionalStore extends Lifecycle {
  /**
   * Adds a scan behind all others, those of calls before that have not resolved yet included, and returns its
   * sequence: 1 or more, and larger than that of every scan that was ever added, removed ones too; it need not be the
   * next number. A scan with the id, the `bootId` and, exactly, the `monotonicMs` of one that is kept is that one: its
   * sequence is returned and nothing changes. One like that that was removed is not known any more.
   */
  add(scan: Omit<ProvisionalScan, 'sequence'>): Promise<number>;
  /**
   * All scans that are kept, settled or not, ascending by sequence. One that is damaged is left out, so that it does not
   * hold up the others; a snapshot for a backup must reject with `STORE_CORRUPT` instead.
   */
  list(): Promise<readonly ProvisionalScan[]>;
  /** Notes under which day and time a scan is filed, in place of the whole earlier note. An unknown sequence: nothing happens. */
  settle(sequence: number, filing: Filing): Promise<void>;
  /** Removes a scan. An unknown sequence: nothing happens. */
  remove(sequence: number): Promise<void>;
}
