import type { Cursor, JournalEntry } from '@tallybook/domain';

/** So many of the latest changes are kept at least, if there were so many since the opening. */
const KEPT = 1_024;

/** The latest changes, in memory: followers that are close need no read of LevelDB. */
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
    // Not one at a time, since this moves all that stay.
    if (this.#entries.length < 2 * KEPT) return;
    const gone = this.#entries.splice(0, this.#entries.length - KEPT);
    this.#after = gone.at(-1)?.cursor ?? this.#after;
  }

  /** The changes after a cursor, at most so many; `undefined` if there are others too. */
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
