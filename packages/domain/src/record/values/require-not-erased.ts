import { invalidCorrection, type NewCorrection } from './correction.js';
import type { Timestamp } from '../../values/timestamp.js';

/**
 * Refuses a correction of a scan that is not after the erasure of its person. Call it in the same turn as the write.
 *
 * @param until `ErasureStore.refusedUntil` of its tag.
 * @throws {TallybookError} `INVALID_CORRECTION`.
 */
export function requireNotErased({ id, at }: NewCorrection, until: Timestamp | undefined): void {
  if (until === undefined || at > until) return;
  throw invalidCorrection(
    `the person of tag ${id} was erased: only scans after ${until} can be corrected; got ${at}`,
  );
}
