import {
  addScan,
  mergeEntries,
  type AttendanceDay,
  type Day,
  type DayStore,
  type DetailedEntry,
  type Entry,
  type RecordOutcome,
  type Revision,
  type ScanSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { detailedEntry, joinFlags, knownScans, type KnownScan } from '@tallybook/domain/record';
import type { Rows } from './sqlite.js';
import { SqliteFacet } from './sqlite-database.js';

/** The record of a day. */
export function loadDay(rows: Rows, day: Day): AttendanceDay | undefined {
  const sql = 'SELECT id, first, last, count FROM entries WHERE day = ? ORDER BY first, rowid';
  // Objects of SQLite have no prototype.
  const entries = rows.all<Entry>(sql, day).map((entry) => ({ ...entry }));
  return entries.length === 0 ? undefined : { day, entries };
}

/** The record of a day with the known scans of each entry. */
export function detailsOf(rows: Rows, day: Day): AttendanceDay<DetailedEntry> | undefined {
  const record = loadDay(rows, day);
  const scans = new Map<TallyId, KnownScan[]>(record?.entries.map(({ id }) => [id, []]));
  const sql = 'SELECT id, at, flags FROM scans WHERE day = ? ORDER BY at';
  for (const { id, at, flags } of rows.all<KnownScan & { readonly id: TallyId }>(sql, day))
    scans.get(id)?.push({ at, flags });
  return (
    record && { day, entries: record.entries.map((entry) => detailedEntry(entry, scans.get(entry.id) ?? [])) }
  );
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
    const { reader, filed, flags = 0 } = source ?? {};
    return this.database.write((rows, tell) => {
      const known = entryOf(rows, day, id);
      const outcome = known === undefined ? 'counted' : 'already-counted';
      const change = addScans(rows, day, id, [{ at, flags }]);
      if (change === 'none') return outcome;
      putEntry(rows, day, known === undefined || change === 'scans' ? addScan(known, id, at) : known);
      const given = { ...(filed && { filed }), ...(flags !== 0 && { flags }) };
      if (change === 'scans') tell({ kind: 'scan', day, id, at, reader, outcome, ...given });
      else tell({ kind: 'day', day, action: 'merged' });
      return outcome;
    });
  }

  merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    return this.database.write((rows, tell) => {
      const changed = entries.filter((entry) => mergeEntry(rows, day, entry));
      if (changed.length > 0) tell({ kind: 'day', day, action: 'merged' });
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.database.read((rows) => loadDay(rows, day));
  }

  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined> {
    return this.database.read((rows) => detailsOf(rows, day));
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
function mergeEntry(rows: Rows, day: Day, other: DetailedEntry): boolean {
  const known = entryOf(rows, day, other.id);
  const merged = mergeEntries(known, other);
  const change = addScans(rows, day, other.id, knownScans(other));
  if (change === 'none' && known?.count === merged.count) return false;
  putEntry(rows, day, merged);
  return true;
}

/** Adds known scans. Returns whether one of them is new, or only has new flags. */
function addScans(
  rows: Rows,
  day: Day,
  id: TallyId,
  scans: readonly KnownScan[],
): 'none' | 'flags' | 'scans' {
  const select = 'SELECT flags FROM scans WHERE day = ? AND id = ? AND at = ?';
  let change: 'none' | 'flags' | 'scans' = 'none';
  for (const { at, flags } of scans) {
    const before = rows.one<Pick<KnownScan, 'flags'>>(select, day, id, at)?.flags;
    const joined = joinFlags(before ?? 0, flags);
    if (joined === before) continue;
    rows.run('INSERT OR REPLACE INTO scans VALUES (?, ?, ?, ?)', day, id, at, joined);
    if (before === undefined) change = 'scans';
    else if (change === 'none') change = 'flags';
  }
  return change;
}

function putEntry(rows: Rows, day: Day, { id, first, last, count }: Entry): void {
  const sql = `INSERT INTO entries VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET first = excluded.first, last = excluded.last, count = excluded.count`;
  rows.run(sql, day, id, first, last, count);
  if (rows.run('INSERT OR IGNORE INTO days VALUES (?)', day) > 0) rows.count('days');
  rows.count(`day ${day}`);
}
