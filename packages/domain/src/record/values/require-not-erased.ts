import { invalidCorrection, type NewCorrection } from './correction.js';
import type { Refusals } from '../../ports/record/refusals.js';

/**
 * Refuses a correction of a scan whose person was erased. Call it in the same turn as the write.
 *
 * @throws {TallybookError} `INVALID_CORRECTION`.
 */
export function requireNotErased({ id, at }: NewCorrection, erasures: Refusals | undefined): void {
  if (erasures?.isRefused(id, at) !== true) return;
  throw invalidCorrection(`the person of tag ${id} was erased: their scan at ${at} cannot be corrected`);
}
