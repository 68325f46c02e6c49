import type { Change, Cursor, Journal, JournalPage, Subscribable } from '@tallybook/domain';
import { decoded } from './sqlite.js';
import { SqliteFacet } from './sqlite-database.js';

/** Reads what the transactions of the other facets have added: see `SqliteDatabase.write`. */
export class SqliteJournal extends SqliteFacet implements Journal {
  readonly appended: Subscribable<void> = this.database.appended;

  origin(): Promise<string> {
    return this.database.read((rows) => rows.text('origin') ?? '');
  }

  latest(): Promise<Cursor> {
    return this.database.read((rows) => rows.counter('journal'));
  }

  async countAfter(cursor: Cursor): Promise<number> {
    return Math.max((await this.latest()) - cursor, 0);
  }

  read(after: Cursor, limit: number): Promise<JournalPage> {
    return this.database.read((rows) => {
      if (after > rows.counter('journal')) return { isKnown: false, reason: 'ahead' };
      if (after < rows.counter('forgotten')) return { isKnown: false, reason: 'too-old' };
      const sql = 'SELECT cursor, change FROM changes WHERE cursor > ? ORDER BY cursor LIMIT ?';
      const found = rows.all<{ readonly cursor: Cursor; readonly change: string }>(sql, after, limit);
      const entries = found.map(({ cursor, change }) => ({ cursor, change: decoded(change, toChange) }));
      return { isKnown: true, entries };
    });
  }

  position(consumer: string): Promise<Cursor | undefined> {
    return this.database.read((rows) => {
      const sql = 'SELECT cursor FROM positions WHERE consumer = ?';
      return (
        this.database.positions.get(consumer) ?? rows.one<{ readonly cursor: Cursor }>(sql, consumer)?.cursor
      );
    });
  }

  advance(consumer: string, cursor: Cursor): Promise<void> {
    return this.database.read(() => void this.database.positions.set(consumer, cursor));
  }
}

function toChange(value: unknown): Change {
  const change = value as Change;
  // JSON leaves out what is undefined.
  return change.kind === 'scan' ? { ...change, reader: change.reader } : change;
}
