import { isTallybookError } from '../../errors.js';
import type { CorrectionStore } from '../../ports/record/correction-store.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';

/**
 * The result of a read; `undefined` if its row is damaged. One damaged row must not hold up all the others: the store reports it,
 * and after a repair everything is sent again.
 */
export async function soundOr<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isTallybookError(error, 'STORE_CORRUPT')) return undefined;
    throw error;
  }
}

/** The corrections of the days from one to another, without those of days that have a damaged one. */
export async function soundCorrections(
  corrections: Pick<CorrectionStore, 'list'>,
  from: Day,
  to: Day,
): Promise<readonly Correction[]> {
  const found = await soundOr(() => corrections.list(from, to));
  if (found !== undefined) return found;
  if (from === to) return [];
  // Halved until the damaged day is alone: a store lists days by their range only.
  const middle = Math.floor((from + to) / 2) as Day;
  const before = await soundCorrections(corrections, from, middle);
  return [...before, ...(await soundCorrections(corrections, (middle + 1) as Day, to))];
}
