import type { Correction, CorrectionDecision } from '../../values/record/correction.js';
import type { NewCorrection } from '../values/correction.js';
import type { Day } from '../../values/day.js';
import type { Revision } from '../../ports/revision.js';

/** Decision on a correction, and its author. */
export interface Verdict extends CorrectionDecision {
  readonly state: 'approved' | 'rejected';
}

/**
 * Stores corrections: facts beside the record of the days. They are added, decided and removed, never changed otherwise.
 *
 * For implementors: other processes may write to the same storage unless your own documentation excludes it, so decide and
 * write in one transaction. In the same transaction, write the changes of a `Journal` of the same data: one `correction`
 * change for each correction that is added or decided, and one `day` change when the corrections of a day are removed. This
 * removal also removes all `correction` changes of that day. A write resolves only when it would survive a power cut. A
 * write that rejects has happened as a whole or not at all. The store need not share its storage with the `DayStore`.
 * Reading a day costs no more than its own corrections. Arguments are values of the domain and need no further check.
 * Results belong to the caller, and later writes do not change them.
 */
export interface CorrectionStore {
  /**
   * Adds corrections, all or none, and numbers them. Each number is larger than every earlier number, including those of
   * removed corrections; the numbers ascend in the order given. A correction that the store has already (see
   * {@link Correction}) is not added. If the present one is pending and the given one is decided, the present one gets the
   * same decision.
   *
   * @returns The corrections as they are in the store now, in the order given.
   */
  correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]>;
  /**
   * Decides a pending correction. A decided correction stays as it is.
   *
   * @returns The correction as it is in the store now; `undefined` if there is no such number.
   */
  decide(number: number, verdict: Verdict): Promise<Correction | undefined>;
  /** The correction with a number; `undefined` if there is none. */
  find(number: number): Promise<Correction | undefined>;
  /** The corrections of the days from `from` to `to`, both included, ascending by day, then by number. */
  list(from: Day, to: Day): Promise<readonly Correction[]>;
  /** Removes the corrections of a day. Resolves with whether there were any. */
  remove(day: Day): Promise<boolean>;
  /** Changes whenever the result of `list(day, day)` changes. */
  dayRevision(day: Day): Promise<Revision>;
  /** Changes whenever the result of `list` changes, for any bounds. */
  revision(): Promise<Revision>;
}

/** What the record may have in addition to names, days and scans. */
export interface RecordFacets {
  readonly corrections: CorrectionStore;
}
