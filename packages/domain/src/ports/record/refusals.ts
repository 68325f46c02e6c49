import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

/** Knows which data must not be recorded, because its person was erased. */
export interface Refusals {
  /**
   * Whether data of a tag is refused. It answers from memory, since every tap asks. It knows an erasure as soon as that is called
   * for. So ask, and then write in the same turn of the event loop: an erasure that is called later also erases this write.
   *
   * @param at The time of the data; `undefined` if unknown: then every erasure of the tag refuses it, unless the tag had another holder later.
   */
  isRefused(id: TallyId, at: Timestamp | undefined): boolean;
}
