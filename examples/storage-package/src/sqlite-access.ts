import type { Revision } from '@tallybook/domain';
import {
  AUDIT_BEGINNING,
  readAuditEntry,
  readCredential,
  readUser,
  writeAuditEntry,
  writeCredential,
  writeUser,
  type AccessChanges,
  type AccessRecord,
  type AccessStore,
  type AuditEntry,
  type AuditHead,
  type AuditStore,
  type EntryAfter,
} from '@tallybook/domain/access';
import { decoded, type Rows } from './sqlite.js';
import { SqliteFacet } from './sqlite-database.js';

interface Row {
  readonly key: string;
  readonly value: string;
}

/** Users and credentials are some thousands at most, and read as a whole. */
export class SqliteAccessStore extends SqliteFacet implements AccessStore {
  read(): Promise<AccessRecord> {
    return this.database.read((rows) => {
      const all = <T>(kind: 'user' | 'credential', read: (key: string, value: unknown) => T): readonly T[] =>
        rows
          .all<Row>('SELECT key, value FROM access WHERE kind = ? ORDER BY key', kind)
          .map(({ key, value }) => decoded(value, (parsed) => read(key, parsed)));
      const secret = rows.text('secret');
      const users = all('user', readUser);
      return {
        users,
        credentials: all('credential', readCredential),
        ...(secret !== undefined && { secret }),
      };
    });
  }

  change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
    return this.database.write((rows) => {
      if (expected !== undefined && expected !== revisionOf(rows)) return undefined;
      const {
        removeUsers = [],
        removeCredentials = [],
        putUsers = [],
        putCredentials = [],
        secret,
      } = changes;
      const remove = (kind: string, key: string): number =>
        rows.run('DELETE FROM access WHERE kind = ? AND key = ?', kind, key);
      const put = (kind: string, key: string, value: string): number =>
        rows.run('INSERT OR REPLACE INTO access VALUES (?, ?, ?)', kind, key, value);
      for (const name of removeUsers) remove('user', name);
      for (const id of removeCredentials) remove('credential', id);
      for (const user of putUsers) put('user', user.name, writeUser(user));
      for (const credential of putCredentials) put('credential', credential.id, writeCredential(credential));
      if (secret !== undefined) rows.setText('secret', secret);
      rows.count('access');
      return revisionOf(rows);
    });
  }

  revision(): Promise<Revision> {
    return this.database.read(revisionOf);
  }
}

export class SqliteAuditStore extends SqliteFacet implements AuditStore {
  append(entry: AuditEntry): Promise<boolean> {
    return this.database.write((rows) => {
      const { number, hash } = headOf(rows) ?? { number: 0, hash: AUDIT_BEGINNING };
      const follows = entry.number === number + 1 && entry.previous === hash;
      if (follows) addEntry(rows, entry);
      return follows;
    });
  }

  appendNext(entryAfter: EntryAfter): Promise<void> {
    return this.database.write((rows) =>
      addEntry(rows, entryAfter(headOf(rows) ?? { number: 0, hash: AUDIT_BEGINNING })),
    );
  }

  begin(entry: AuditEntry): Promise<boolean> {
    return this.database.write((rows) => {
      const isEmpty = headOf(rows) === undefined;
      if (isEmpty) addEntry(rows, entry);
      return isEmpty;
    });
  }

  latest(): Promise<AuditHead | undefined> {
    return this.database.read(headOf);
  }

  read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return this.database.read((rows) => {
      const sql = 'SELECT number, entry FROM audit WHERE number > ? ORDER BY number LIMIT ?';
      const found = rows.all<{ readonly number: number; readonly entry: string }>(sql, after, limit);
      // A damaged entry is left out, so that a gap shows.
      return found.flatMap(({ number, entry }) => {
        try {
          return decoded(entry, (value) => readAuditEntry(number, value));
        } catch {
          return [];
        }
      });
    });
  }

  removeThrough(number: number): Promise<number> {
    return this.database.write((rows) => {
      const latest = headOf(rows)?.number ?? 0;
      return rows.run('DELETE FROM audit WHERE number <= ? AND number < ?', number, latest);
    });
  }
}

function revisionOf(rows: Rows): Revision {
  return String(rows.counter('access'));
}

/** The end of the trail is kept beside its entries, so that a lost latest entry shows. */
function headOf(rows: Rows): AuditHead | undefined {
  const hash = rows.text('audit');
  return hash === undefined ? undefined : { number: rows.counter('audit'), hash };
}

function addEntry(rows: Rows, entry: AuditEntry): void {
  rows.run('INSERT INTO audit VALUES (?, ?)', entry.number, writeAuditEntry(entry));
  rows.setCounter('audit', entry.number);
  rows.setText('audit', entry.hash);
}
