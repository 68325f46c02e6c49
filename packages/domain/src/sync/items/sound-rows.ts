import { ifCode } from '../../errors.js';
import type { CorrectionStore } from '../../record/ports/correction-store.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';

/**
 * The result of a read; `undefined` if its row is damaged. One damaged row must not hold up the others: the store reports it, and
 * after a repair the whole record is sent again.
 */
export async function soundOr<T>(read: () => Promise<T>): Promise<T | undefined> {
  return await read().catch(ifCode('STORE_CORRUPT', undefined));
}

/** The corrections of the days from `from` to `to`, without those of days with a damaged correction. */
export async function soundCorrections(
  corrections: Pick<CorrectionStore, 'list'>,
  from: Day,
  to: Day,
): Promise<readonly Correction[]> {
  const found = await soundOr(() => corrections.list(from, to));
  if (found !== undefined) return found;
  if (from === to) return [];
  // The range is halved until the damaged day is alone, because a store rejects the list of the whole range.
  const middle = Math.floor((from + to) / 2) as Day;
  const before = await soundCorrections(corrections, from, middle);
  return [...before, ...(await soundCorrections(corrections, (middle + 1) as Day, to))];
}
