import type { TallyId, Timestamp } from '@tallybook/domain';

/** A tag that is being erased. */
export interface ErasedScans {
  readonly id: TallyId;
  /** Whether data of this moment is erased. */
  readonly isGone: (at: Timestamp) => boolean;
}
