import type { Change, Cursor, JournalBounds, JournalEntry } from '@tallybook/domain';
import { encodeChange } from '../rows/change-codec.js';
import { decodeBounds, decodeRow, encodeBounds } from '../rows/codec.js';
import { changeKey, changeRange, cursorOfKey, isChangeKey, journalBoundsKey } from '../rows/keys.js';
import type { RawLevel } from '../level/raw-level.js';
import { writingTimeOf } from '../queries/read-journal.js';
import type { Row } from '../rows/rows.js';
import { unseal } from '../rows/seal.js';
import { RecentChanges } from './recent-changes.js';

/** Changes to write to the journal, and rows to delete with them. */
export interface Addition {
  readonly rows: readonly Row[];
  readonly entries: readonly JournalEntry[];
  readonly removed: ReadonlySet<Cursor>;
}

/** So long a change may stay when it is too old, so that many are removed together: a day. */
const AGED_SECONDS = 86_400;

/** 2025-01-01, in seconds: a clock that shows less was never set. */
const TIME_KNOWN_FROM = 1_735_689_600;

/** So many of the oldest changes are removed at a time. */
const REMOVED_AT_A_TIME = 256;

/**
 * Where the journal of an open LevelDB ends: gives cursors, and decides which of the oldest changes go.
 *
 * A cursor is used up when its batch is written. After a failed one the LevelDB is opened anew, and with it this.
 */
export class JournalEnd {
  /** Identity of the store, in hex. */
  readonly origin: string;
  readonly recent: RecentChanges;
  #latest: Cursor;
  /** The largest cursor of the changes that were removed as the oldest ones. */
  #forgotten: Cursor;
  /** How many cursors after that one no longer have a change. */
  #gaps: number;
  /** When the latest change was written, in seconds. */
  #writtenAt: number;
  /** When the oldest change was written, or earlier. */
  #oldestAt: number;

  private constructor(
    origin: string,
    {
      latest,
      forgotten,
      gaps,
      writtenAt,
      oldestAt,
    }: {
      readonly latest: Cursor;
      readonly forgotten: Cursor;
      readonly gaps: number;
      readonly writtenAt: number;
      readonly oldestAt: number;
    },
  ) {
    this.origin = origin;
    this.recent = new RecentChanges(latest);
    this.#latest = latest;
    this.#forgotten = forgotten;
    this.#gaps = gaps;
    this.#writtenAt = writtenAt;
    this.#oldestAt = oldestAt;
  }

  /** @throws {TallybookError} `STORE_CORRUPT` if nobody can tell where it ends. */
  static async of(raw: RawLevel, identity: Buffer): Promise<JournalEnd> {
    const bounds = (await raw.get(journalBoundsKey)) as Buffer | undefined;
    const { forgotten, gaps } =
      bounds === undefined
        ? { forgotten: 0, gaps: 0 }
        : decodeRow(journalBoundsKey, () => decodeBounds(unseal(journalBoundsKey, bounds)));
    const [last] = await raw.iterator({ ...changeRange(forgotten), reverse: true, limit: 1 }).all();
    const [first] = await raw.iterator({ ...changeRange(forgotten), limit: 1 }).all();
    return new JournalEnd(identity.toString('hex'), {
      latest: last === undefined ? forgotten : decodeRow(last[0], () => cursorOfKey(last[0])),
      forgotten,
      gaps,
      writtenAt: (last && writingTimeOf(...last)) ?? 0,
      oldestAt: first === undefined ? Infinity : (writingTimeOf(...first) ?? 0),
    });
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

  /** Whether there is something to remove, at this time in seconds. */
  isDue({ limit, seconds }: JournalBounds, now: number): boolean {
    return this.#count - limit >= REMOVED_AT_A_TIME || this.#oldestAt < now - seconds - AGED_SECONDS;
  }

  /**
   * The cursors of the oldest changes that are too many or too old, ascending, some at a time.
   *
   * @param added How many changes are about to be added, so that a journal that is far too long becomes shorter.
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
    // Unless a change below is older.
    this.#oldestAt = now;
    for (const row of rows) {
      const writtenAt = writingTimeOf(...row) ?? 0;
      const isKnown = writtenAt >= TIME_KNOWN_FROM;
      if (isKnown && writtenAt >= now - seconds && cursors.length >= expired) {
        this.#oldestAt = writtenAt;
        break;
      }
      cursors.push(decodeRow(row[0], () => cursorOfKey(row[0])));
      // Changes before it go too if nobody knows when they were written: they are older.
      if (isKnown && writtenAt < now - seconds) expired = Math.max(expired, cursors.length);
    }
    return cursors.slice(0, expired);
  }

  /**
   * Gives changes the next cursors.
   *
   * @param changed Rows that are written with them: among them may be deleted changes.
   * @param expired From {@link findExpired}, unless changes are deleted.
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
      // Noted before they are gone: a reader in between must not take the rest for all changes.
      this.#forgotten = last;
      for (const cursor of expired) rows.push({ key: changeKey(cursor), value: undefined });
    }
    if (removed.size > 0 || last !== undefined) {
      rows.push({ key: journalBoundsKey, value: encodeBounds(this.#forgotten, this.#gaps) });
    }
    return { rows, entries, removed };
  }

  /** Says that an addition was written. */
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
