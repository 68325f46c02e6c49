import type { Cursor, JournalEntry } from '@tallybook/domain';

/** How many of the latest changes since the opening are kept at least. */
const KEPT = 1_024;

/** The latest changes, in memory: a follower that is nearly up to date needs no read of LevelDB. */
export class RecentChanges {
  /** All changes after this cursor are here. */
  #after: Cursor;
  #entries: JournalEntry[] = [];

  constructor(latest: Cursor) {
    this.#after = latest;
  }

  /** @param removed Changes that must not be kept any longer. */
  add(entries: readonly JournalEntry[], removed: ReadonlySet<Cursor>): void {
    if (removed.size > 0) this.#entries = this.#entries.filter(({ cursor }) => !removed.has(cursor));
    for (const entry of entries) this.#entries.push(entry);
    // Many at a time, because each removal moves all remaining changes.
    if (this.#entries.length < 2 * KEPT) return;
    const gone = this.#entries.splice(0, this.#entries.length - KEPT);
    this.#after = gone.at(-1)?.cursor ?? this.#after;
  }

  /** The changes after a cursor, at most `limit`; `undefined` if some of them are no longer in memory. */
  read(after: Cursor, limit: number): readonly JournalEntry[] | undefined {
    if (after < this.#after) return undefined;
    const start = this.#firstAfter(after);
    return this.#entries.slice(start, start + limit);
  }

  #firstAfter(after: Cursor): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.cursor ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
