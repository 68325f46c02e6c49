import { type Cursor, type Journal, type JournalPage, type Subscribable } from '@tallybook/domain';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Transaction } from '../database/transaction.js';
import { beforeGap, countGiven, endOfGap } from '../database/writer/given-numbers.js';
import { toChange, type ChangeColumns } from '../rows/change-rows.js';

/** A page of the journal, and the bounds of the journal at the same moment. $1: site, $2: cursor, $3: how many. */
const selectPage = `SELECT s.seq AS latest, s.forgotten, s.gaps, c.seq, c.kind, c.day, c.id, c.body FROM tallybook.site s
  LEFT JOIN (
    SELECT seq, kind, day, id, body FROM tallybook.change WHERE site = $1 AND seq > $2 ORDER BY seq LIMIT $3
  ) c ON true
  WHERE s.site = $1 ORDER BY c.seq`;

interface PageRow extends ChangeColumns {
  readonly latest: Cursor;
  readonly forgotten: Cursor;
  readonly gaps: readonly (number | string)[];
  /** `null` if there is no change after the cursor. */
  readonly seq: Cursor | null;
}

/** $1: site. */
const selectLatest = 'SELECT seq, gaps FROM tallybook.site WHERE site = $1';

type LatestRow = Pick<PageRow, 'gaps'> & { readonly seq: Cursor };

/** $1: site, $2: consumer. */
const selectPosition = 'SELECT cursor FROM tallybook.position WHERE site = $1 AND consumer = $2';

/**
 * The journal of a site: a row for each change, in the same transaction as the changed rows. Cursors are given under the lock of
 * the site, so they follow the order of commits with any number of servers. Gaps are only where the numbers were raised.
 */
export class PostgresJournal extends PostgresFacet implements Journal {
  readonly appended: Subscribable<void>;

  constructor(database: PostgresDatabase) {
    super(database);
    this.appended = database.appended;
    // If this fails, some changes are only delivered again: a missing database must not prevent closing.
    database.onClosing(() => this.#flush().catch(() => undefined));
  }

  origin(): Promise<string> {
    return this.database.run(async () => (await this.database.readRow()).origin);
  }

  async latest(): Promise<Cursor> {
    const { seq, gaps } = await this.#readLatest();
    return beforeGap(gaps, seq);
  }

  async countAfter(cursor: Cursor): Promise<number> {
    const { seq, gaps } = await this.#readLatest();
    return countGiven(gaps, cursor, seq);
  }

  async read(after: Cursor, limit: number): Promise<JournalPage> {
    const rows = await this.rows<PageRow>(selectPage, after, limit);
    const { latest = 0, forgotten = 0, gaps = [] } = rows[0] ?? {};
    if (after > latest) return { isKnown: false, reason: 'ahead' };
    // Also in a gap, so that every cursor before the oldest change has the same reason.
    if (after < forgotten) return { isKnown: false, reason: 'too-old' };
    const next = endOfGap(gaps, after);
    if (next !== undefined) return { isKnown: false, reason: 'ahead', next };
    const entries = rows.flatMap(({ seq, ...columns }) =>
      seq === null ? [] : [{ cursor: seq, change: toChange(columns, seq) }],
    );
    return { isKnown: true, entries };
  }

  position(consumer: string): Promise<Cursor | undefined> {
    return this.database.run(async () => {
      const noted = this.database.positions.get(consumer);
      if (noted !== undefined) return noted;
      const [row] = await this.database.rows<{ cursor: Cursor }>(selectPosition, consumer);
      return row?.cursor;
    });
  }

  advance(consumer: string, cursor: Cursor): Promise<void> {
    return this.database.run(async () => {
      if (!this.database.positions.note(consumer, cursor)) return;
      // If this fails, the next transaction writes the position: no follower of the journal has to wait for the database.
      await this.#flush().catch(() => undefined);
    });
  }

  async #readLatest(): Promise<LatestRow> {
    const [row] = await this.rows<LatestRow>(selectLatest);
    return row ?? { seq: 0, gaps: [] };
  }

  async #flush(): Promise<void> {
    if (this.database.positions.unwritten().length > 0) await this.database.submit(commitAnyway, undefined);
  }
}

function commitAnyway(transaction: Transaction, items: readonly undefined[]): Promise<readonly undefined[]> {
  transaction.keep();
  return Promise.resolve(items);
}
