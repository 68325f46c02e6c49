import type { Day } from '../day.js';
import type { TallyId } from '../tally-id.js';
import type { Timestamp } from '../timestamp.js';

/** `add`: adds a scan that was forgotten, or voided by mistake. `void`: voids a wrong scan. */
export const correctionActions = ['add', 'void'] as const;
export type CorrectionAction = (typeof correctionActions)[number];

/** Only approved corrections change views of the record. */
export const correctionStates = ['approved', 'pending', 'rejected'] as const;
type CorrectionState = (typeof correctionStates)[number];

/** Decision of a second person on a correction. */
export interface CorrectionDecision {
  /** The name of a `Principal`. */
  readonly by: string;
  readonly at: Timestamp;
  readonly reason?: string;
}

/**
 * A fact beside the record: somebody says that a scan was forgotten, or was wrong. The scans themselves stay as they are.
 *
 * Two corrections are the same one if day, tag, second, action, author and `madeAt` are the same.
 */
export interface Correction {
  /** 1 or more; a later correction of the same store has a larger one. */
  readonly number: number;
  readonly action: CorrectionAction;
  readonly day: Day;
  readonly id: TallyId;
  /** The second of the scan. */
  readonly at: Timestamp;
  /** As `parseReason` gives it. */
  readonly reason: string;
  /** The name of a `Principal`. */
  readonly author: string;
  readonly madeAt: Timestamp;
  readonly state: CorrectionState;
  /** Only if a second person decided. */
  readonly decision?: CorrectionDecision;
}
