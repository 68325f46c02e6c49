import type { Day } from '../../values/day.js';
import type { Name } from '../../values/names/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

/** A person with one or more tags, or a tag without a name. */
export interface Person {
  /** `undefined` for a tag without a name. */
  readonly name: Name | undefined;
  /** Ascending; exactly one for a tag without a name. */
  readonly ids: readonly TallyId[];
}

/** A person on a day, with all their tags together. */
export interface Presence {
  readonly day: Day;
  readonly first: Timestamp;
  /** Equal to `first` when there was one scan. */
  readonly last: Timestamp;
  /** Number of scans, at least 1. */
  readonly scans: number;
}
