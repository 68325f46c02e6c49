import type {
  Cursor,
  Day,
  AttendanceDay,
  DayStore,
  DetailedEntry,
  RecordOutcome,
  Revision,
  ScanSource,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { PostgresFacet } from '../database/postgres-facet.js';
import { addToDays, ROWS_OF_AN_ENTRY } from '../database/record-days.js';
import { readDay, readDays, readDetails, readScans } from '../rows/day-rows.js';

/** The changes of the journal about scans of a day. $1: site, $2: day. */
const selectTold = `SELECT seq FROM tallybook.change WHERE site = $1 AND kind = 'scan' AND day = $2`;
const selectLatest = 'SELECT seq FROM tallybook.site WHERE site = $1';
const deleteDay = 'DELETE FROM tallybook.day WHERE site = $1 AND day = $2 RETURNING day';
const deleteEntries = 'DELETE FROM tallybook.entry WHERE site = $1 AND day = $2';
const deleteScans = 'DELETE FROM tallybook.scan WHERE site = $1 AND day = $2';

/** $1: site, $2: cursors, $3: cursor after which there may be more, $4: day. */
const deleteTold = `DELETE FROM tallybook.change
  WHERE site = $1 AND (seq = ANY ($2::bigint[]) OR (seq > $3 AND kind = 'scan' AND day = $4)) RETURNING seq`;

/** Removes the record of a day and the changes about its scans. The journal is searched before that, while others write. */
async function removeDay(database: PostgresDatabase, day: Day): Promise<boolean> {
  const [row] = await database.rows<{ seq: Cursor }>(selectLatest);
  const told = (await database.rows<{ seq: Cursor }>(selectTold, day)).map(({ seq }) => seq);
  return await database.write(async (transaction) => {
    const removed = await transaction.write(deleteDay, day);
    if (removed.length === 0) return false;
    transaction.send(deleteEntries, day);
    transaction.send(deleteScans, day);
    const gone = await transaction.write(deleteTold, told, row?.seq ?? 0, day);
    transaction.forget(gone.length);
    transaction.touch('days');
    transaction.tell({ kind: 'day', day, action: 'removed' });
    return true;
  }, told.length);
}

/** $1: site, $2: day. */
const selectRevision = `SELECT d.revision AS "ofDay", s.days_revision AS "ofList" FROM tallybook.site s
  LEFT JOIN tallybook.day d ON d.site = s.site AND d.day = $2 WHERE s.site = $1`;

/** Keeps attendance in PostgreSQL. */
export class PostgresDayStore extends PostgresFacet implements DayStore {
  async record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    const item = { kind: 'scan', day, id, at, source } as const;
    const key = `scan ${day} ${id} ${at} ${source?.flags ?? 0}`;
    return (await this.submit(addToDays, item, ROWS_OF_AN_ENTRY, key)) ?? 'already-counted';
  }

  async merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    const scans = entries.reduce((sum, entry) => sum + (entry.scans?.length ?? 0), 0);
    await this.submit(
      addToDays,
      { kind: 'entries', day, entries },
      ROWS_OF_AN_ENTRY * entries.length + scans,
    );
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.database.run(() => readDay(this.database, day));
  }

  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined> {
    return this.database.run(() => readDetails(this.database, day));
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.database.run(() => readScans(this.database, day, id));
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.database.run(() => readDays(this.database, from, to));
  }

  remove(day: Day): Promise<boolean> {
    return this.database.run(() => removeDay(this.database, day));
  }

  async dayRevision(day: Day): Promise<Revision> {
    const [row] = await this.rows<{ ofDay: number | null; ofList: number }>(selectRevision, day);
    // A day without a record has one revision before it was recorded, and another one after its removal.
    const { ofDay = null, ofList = 0 } = row ?? {};
    return ofDay === null ? `none ${ofList}` : String(ofDay);
  }

  listRevision(): Promise<Revision> {
    return this.revisionOf('days');
  }
}
