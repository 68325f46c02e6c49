import type { TallyId } from './names.js';

/** A new correction. Times are seconds since 1970. */
export interface NewCorrection {
  /** `add`: adds a scan that was forgotten, or voided by mistake. `void`: voids a wrong scan. */
  readonly action: 'add' | 'void';
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly id: TallyId;
  /** The second of the scan. */
  readonly at: number;
  /** One line of 3 to 500 characters. */
  readonly reason: string;
}

/** A fact beside the record. No scan is changed by it. */
export interface Correction extends NewCorrection {
  /** From 1; a later correction has a larger number. */
  readonly number: number;
  readonly author: string;
  readonly madeAt: number;
  /** Only approved corrections count. */
  readonly state: 'approved' | 'pending' | 'rejected';
  /** The second person; `null` if nobody decided. */
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  readonly decisionReason: string | null;
}

/** The decision of a second person on a pending correction. */
export interface CorrectionDecision {
  readonly number: number;
  readonly approve: boolean;
  readonly reason?: string;
}

/** The seconds of the single known scans of a tag on a day, each list ascending. */
export interface Scans {
  /** Recorded scans, void or not. */
  readonly at: readonly number[];
  /** Scans that were added by a correction, and count. */
  readonly added: readonly number[];
  /** Recorded or added scans that are void. */
  readonly voided: readonly number[];
}
