import type { TrustedTime } from '../../../time/timekeeper.js';
import type { CorrectionStore } from '../../../record/ports/correction-store.js';
import type { DayStore } from '../../../ports/record/day-store.js';
import type { ErasureStore } from '../../../record/ports/erasure-store.js';
import type { Cursor } from '../../../ports/record/journal.js';
import type { StampedNames } from '../../ports/stamped-names.js';
import type { Day } from '../../../values/day.js';
import type { LookUpParts } from '../../items/look-up-tags.js';
import type { SyncNotes } from '../../sync-notes.js';

export interface MergeDependencies extends Pick<LookUpParts, 'clock' | 'pause'> {
  /** The record without corrections: not a `CorrectedDayStore`. */
  readonly days: DayStore;
  readonly stamped: StampedNames;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'isRefused' | 'of' | 'add' | 'list' | 'key'>;
  readonly timekeeper: TrustedTime;
  /** Whether a second person has to approve corrections here. Default: false. */
  readonly needsApproval?: boolean;
  /**
   * Whether a repair of these stores makes each station send its record again. Only then are items for a damaged row refused,
   * because otherwise no station would send them again. Default: false.
   */
  readonly isRepairable?: boolean;
}

/** Conditions for merging a batch. */
export interface MergeTerms {
  /** The cursor up to which the station was acknowledged before. */
  readonly acknowledged: Cursor;
  /** Days before this one are refused. */
  readonly keepFrom: Day | undefined;
  /**
   * Notes each change as soon as it is made. If a later change fails, the batch comes again; then the earlier changes
   * change nothing, and are not noted.
   */
  readonly notes: Pick<SyncNotes, 'note'>;
}
