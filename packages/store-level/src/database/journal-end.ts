import type { Change, Cursor, JournalBounds, JournalEntry } from '@tallybook/domain';
import { encodeChange } from '../rows/change-codec.js';
import { decodeBounds, decodeRow, encodeBounds } from '../rows/codec.js';
import { changeKey, changeRange, cursorOfKey, isChangeKey, journalBoundsKey } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import { writingTimeOf } from '../queries/read-journal.js';
import type { Row } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';

/** Changes to write to the journal, and rows to delete with them. */
export interface Addition {
  readonly rows: readonly Row[];
  readonly entries: readonly JournalEntry[];
  readonly removed: ReadonlySet<Cursor>;
}

/** Seconds for which a change that is too old may stay, so that many are removed together: a day. */
const AGED_SECONDS = 86_400;

/** 2025-01-01, in seconds: a clock that shows less was never set. */
const TIME_KNOWN_FROM = 1_735_689_600;

/** How many of the oldest changes are removed at a time. */
const REMOVED_AT_A_TIME = 256;

/**
 * The end of the journal of an open LevelDB: gives cursors to new changes, and decides which of the oldest changes are removed.
 *
 * A cursor is given once, even if its batch is not written. After a failed batch the LevelDB is opened anew, with a new object of
 * this class.
 */
export class JournalEnd {
  /** Identity of the store, in hex. */
  readonly origin: string;
  readonly recent: RecentChanges;
  #latest: Cursor;
  /** The largest cursor among the changes that were removed because they were the oldest. */
  #forgotten: Cursor = 0;
  /** How many cursors after `#forgotten` no longer have a change. */
  #gaps = 0;
  /** When the latest change was written, in seconds. */
  #writtenAt = 0;
  /** When the oldest change was written, or earlier. */
  #oldestAt = Infinity;

  private constructor(origin: string, latest: Cursor) {
    this.origin = origin;
    this.recent = new RecentChanges(latest);
    this.#latest = latest;
  }

  /** @throws {TallybookError} `STORE_CORRUPT` if damage hides the end of the journal. */
  static async of(raw: RawLevel, identity: Buffer): Promise<JournalEnd> {
    const bounds = (await raw.get(journalBoundsKey)) as Buffer | undefined;
    const { forgotten, gaps } =
      bounds === undefined
        ? { forgotten: 0, gaps: 0 }
        : decodeRow(journalBoundsKey, () => decodeBounds(unseal(journalBoundsKey, bounds)));
    const [last] = await raw.iterator({ ...changeRange(forgotten), reverse: true, limit: 1 }).all();
    const [first] = await raw.iterator({ ...changeRange(forgotten), limit: 1 }).all();
    const latest = last === undefined ? forgotten : decodeRow(last[0], () => cursorOfKey(last[0]));
    const end = new JournalEnd(identity.toString('hex'), latest);
    end.#forgotten = forgotten;
    end.#gaps = gaps;
    if (last !== undefined) end.#writtenAt = writingTimeOf(...last) ?? 0;
    if (first !== undefined) end.#oldestAt = writingTimeOf(...first) ?? 0;
    return end;
  }

  get latest(): Cursor {
    return this.#latest;
  }

  get forgotten(): Cursor {
    return this.#forgotten;
  }

  get #count(): number {
    return this.#latest - this.#forgotten - this.#gaps;
  }

  /** Whether changes should be removed. `now` is in seconds since 1970. */
  isDue({ limit, seconds }: JournalBounds, now: number): boolean {
    return this.#count - limit >= REMOVED_AT_A_TIME || this.#oldestAt < now - seconds - AGED_SECONDS;
  }

  /**
   * Cursors of the oldest changes that exceed the limit of number or age, ascending: some of them at each call.
   *
   * @param added How many changes are about to be added. Up to twice as many are removed, so that a journal that is far too long
   * becomes shorter.
   */
  async findExpired(
    raw: RawLevel,
    { limit, seconds }: JournalBounds,
    now: number,
    added: number,
  ): Promise<readonly Cursor[]> {
    const most = Math.max(REMOVED_AT_A_TIME, 2 * added);
    const rows = await raw.iterator({ ...changeRange(this.#forgotten, this.#latest), limit: most }).all();
    const cursors: Cursor[] = [];
    const surplus = this.#count - limit;
    let expired = Math.max(surplus, 0);
    // Replaced below if an older change stays.
    this.#oldestAt = now;
    for (const row of rows) {
      const writtenAt = writingTimeOf(...row) ?? 0;
      const isKnown = writtenAt >= TIME_KNOWN_FROM;
      if (isKnown && writtenAt >= now - seconds && cursors.length >= expired) {
        this.#oldestAt = writtenAt;
        break;
      }
      cursors.push(decodeRow(row[0], () => cursorOfKey(row[0])));
      // Changes before it that have no known time are older, so they are removed too.
      if (isKnown && writtenAt < now - seconds) expired = Math.max(expired, cursors.length);
    }
    return cursors.slice(0, expired);
  }

  /**
   * Gives the next cursors to changes.
   *
   * @param changed Rows that are written in the same batch. Some may delete changes of the journal.
   * @param expired From {@link findExpired}; empty if `changed` deletes changes.
   */
  add(
    told: readonly Change[],
    changed: Iterable<Row>,
    { expired, now }: { readonly expired: readonly Cursor[]; readonly now: number },
  ): Addition {
    this.#writtenAt = Math.max(this.#writtenAt, now);
    const entries = told.map((change, index) => ({ cursor: this.#latest + 1 + index, change }));
    const rows: Row[] = entries.map(({ cursor, change }) => ({
      key: changeKey(cursor),
      value: encodeChange({ change, writtenAt: this.#writtenAt }),
    }));
    const removed = new Set<Cursor>();
    for (const { key, value } of changed) {
      if (isChangeKey(key) && value === undefined) removed.add(cursorOfKey(key));
    }
    this.#gaps += removed.size;
    const last = expired.at(-1);
    if (last !== undefined) {
      this.#gaps -= last - this.#forgotten - expired.length;
      // Noted before the rows are deleted: a concurrent reader must not take the remaining changes for all changes.
      this.#forgotten = last;
      for (const cursor of expired) rows.push({ key: changeKey(cursor), value: undefined });
    }
    if (removed.size > 0 || last !== undefined) {
      rows.push({ key: journalBoundsKey, value: encodeBounds(this.#forgotten, this.#gaps) });
    }
    return { rows, entries, removed };
  }

  /** Call it when an addition was written. */
  take({ entries, removed }: Addition): void {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) {
      this.recent.add([], removed);
      return;
    }
    if (this.#oldestAt === Infinity) this.#oldestAt = this.#writtenAt;
    this.#latest = last.cursor;
    this.recent.add(entries, removed);
  }
}

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
    // From the end: nearly every follower is there.
    const start = this.#entries.findLastIndex(({ cursor }) => cursor <= after) + 1;
    return this.#entries.slice(start, start + limit);
  }
}
