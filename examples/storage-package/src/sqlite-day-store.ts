import {
  addScan,
  mergeEntries,
  type AttendanceDay,
  type Day,
  type DayStore,
  type Entry,
  type RecordOutcome,
  type Revision,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import type { Rows } from './sqlite.js';
import { SqliteFacet } from './sqlite-database.js';

/** The record of a day. */
export function loadDay(rows: Rows, day: Day): AttendanceDay | undefined {
  const sql = 'SELECT id, first, last, count FROM entries WHERE day = ? ORDER BY first, rowid';
  // Objects of SQLite have no prototype.
  const entries = rows.all<Entry>(sql, day).map((entry) => ({ ...entry }));
  return entries.length === 0 ? undefined : { day, entries };
}

/** The seconds of the single known scans of a tag. */
export function scansOf(rows: Rows, day: Day, id: TallyId): readonly Timestamp[] {
  const sql = 'SELECT at FROM scans WHERE day = ? AND id = ? ORDER BY at';
  return rows.all<{ readonly at: Timestamp }>(sql, day, id).map(({ at }) => at);
}

export function listDays(rows: Rows, from: Day, to: Day): readonly Day[] {
  const sql = 'SELECT day FROM days WHERE day BETWEEN ? AND ? ORDER BY day';
  return rows.all<{ readonly day: Day }>(sql, from, to).map(({ day }) => day);
}

export class SqliteDayStore extends SqliteFacet implements DayStore {
  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    return this.database.write((rows, tell) => {
      const known = entryOf(rows, day, id);
      const outcome = known === undefined ? 'counted' : 'already-counted';
      if (!addSeconds(rows, day, id, [at])) return outcome;
      putEntry(rows, day, addScan(known, id, at));
      const filed = source?.filed && { filed: source.filed };
      tell({ kind: 'scan', day, id, at, reader: source?.reader, outcome, ...filed });
      return outcome;
    });
  }

  merge(day: Day, entries: readonly Entry[]): Promise<void> {
    return this.database.write((rows, tell) => {
      const changed = entries.filter((entry) => mergeEntry(rows, day, entry));
      if (changed.length > 0) tell({ kind: 'day', day, action: 'merged' });
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.database.read((rows) => loadDay(rows, day));
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.database.read((rows) => scansOf(rows, day, id));
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.database.read((rows) => listDays(rows, from, to));
  }

  remove(day: Day): Promise<boolean> {
    return this.database.write((rows, tell) => {
      if (rows.run('DELETE FROM days WHERE day = ?', day) === 0) return false;
      for (const table of ['entries', 'scans']) rows.run(`DELETE FROM ${table} WHERE day = ?`, day);
      rows.run('DELETE FROM changes WHERE scan_day = ?', day);
      rows.count('days');
      rows.count(`day ${day}`);
      tell({ kind: 'day', day, action: 'removed' });
      return true;
    });
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.database.read((rows) => String(rows.counter(`day ${day}`)));
  }

  listRevision(): Promise<Revision> {
    return this.database.read((rows) => String(rows.counter('days')));
  }
}

function entryOf(rows: Rows, day: Day, id: TallyId): Entry | undefined {
  return rows.one('SELECT id, first, last, count FROM entries WHERE day = ? AND id = ?', day, id);
}

/** Merges an entry, and returns whether the day changed. */
function mergeEntry(rows: Rows, day: Day, other: Entry): boolean {
  const known = entryOf(rows, day, other.id);
  const merged = mergeEntries(known, other);
  const isNewScan = addSeconds(rows, day, other.id, [other.first, other.last]);
  if (!isNewScan && known?.count === merged.count) return false;
  putEntry(rows, day, merged);
  return true;
}

/** Adds known scans, and returns whether one of them is new. */
function addSeconds(rows: Rows, day: Day, id: TallyId, seconds: readonly Timestamp[]): boolean {
  const added = seconds.map((at) => rows.run('INSERT OR IGNORE INTO scans VALUES (?, ?, ?)', day, id, at));
  return added.some((count) => count > 0);
}

function putEntry(rows: Rows, day: Day, { id, first, last, count }: Entry): void {
  const sql = `INSERT INTO entries VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET first = excluded.first, last = excluded.last, count = excluded.count`;
  rows.run(sql, day, id, first, last, count);
  if (rows.run('INSERT OR IGNORE INTO days VALUES (?)', day) > 0) rows.count('days');
  rows.count(`day ${day}`);
}
