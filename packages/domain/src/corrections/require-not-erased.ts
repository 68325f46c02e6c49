import type { ErasureStore } from '../ports/erasure-store.js';
import { invalidCorrection, type NewCorrection } from '../values/correction.js';

/**
 * Refuses a correction of a scan that is not after the erasure of its person. To be called at once before it is written.
 *
 * @throws {TallybookError} `INVALID_CORRECTION`.
 */
export function requireNotErased(
  { id, at }: NewCorrection,
  erasures: Pick<ErasureStore, 'refusedUntil'> | undefined,
): void {
  const until = erasures?.refusedUntil(id);
  if (until === undefined || at > until) return;
  throw invalidCorrection(
    `the person of tag ${id} was erased: only scans after ${until} can be corrected; got ${at}`,
  );
}
