import { selectOldest, deleteThrough } from './statements.js';
import type { Transaction } from './transaction.js';

/** What the journal keeps. */
export interface JournalBounds {
  readonly limit: number;
  readonly seconds: number;
}

/** So many changes too many are left until it is worth while to remove them. */
const REMOVED_AT_A_TIME = 100;
/** How often it is looked whether the oldest changes are too old: once for so many changes. */
const LOOKED_EVERY = 100;
const REMOVED_AT_MOST = 1_000;

/** Removes the oldest changes that are too many or too old, some at a time. */
export async function trimJournal(
  transaction: Transaction,
  { limit, seconds }: JournalBounds,
  now: number,
): Promise<void> {
  const { row, told } = transaction;
  if (told.length === 0) return;
  const surplus = Math.max(row.kept + told.length - limit, 0);
  const isLookedAt = Math.floor((row.seq + told.length) / LOOKED_EVERY) > Math.floor(row.seq / LOOKED_EVERY);
  if (surplus < REMOVED_AT_A_TIME && !isLookedAt) return;
  // Twice of what comes, so that a journal that is far too long becomes shorter.
  const most = Math.min(Math.max(2 * told.length, REMOVED_AT_A_TIME), REMOVED_AT_MOST);
  const oldest = await transaction.read<{ seq: number; writtenAt: number }>(selectOldest, [
    transaction.site,
    most,
  ]);
  const young = oldest.findIndex(({ writtenAt }, index) => index >= surplus && writtenAt >= now - seconds);
  const expired = young === -1 ? oldest : oldest.slice(0, young);
  const last = expired.at(-1);
  if (last === undefined) return;
  await transaction.write(deleteThrough, [transaction.site, last.seq]);
  transaction.forget(expired.length, last.seq);
}
