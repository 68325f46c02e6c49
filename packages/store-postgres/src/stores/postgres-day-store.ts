import type {
  Cursor,
  Day,
  AttendanceDay,
  DayStore,
  Entry,
  RecordOutcome,
  Revision,
  ScanSource,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Statement } from '../connection/session.js';
import { addToDays, ROWS_OF_AN_ENTRY } from '../database/record-days.js';
import { readDay, readDays, readScans } from '../rows/day-rows.js';

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
  const { site } = database;
  const { told, latest } = await database.read(async (connection) => {
    const [[row], found] = [
      await connection.query<{ seq: Cursor }>(selectLatest, [site]),
      await connection.query<{ seq: Cursor }>(selectTold, [site, day]),
    ];
    return { told: found.map(({ seq }) => seq), latest: row?.seq ?? 0 };
  });
  return await database.write(async (transaction) => {
    const removed = await transaction.write(deleteDay, [site, day]);
    if (removed.length === 0) return false;
    transaction.send(deleteEntries, [site, day]);
    transaction.send(deleteScans, [site, day]);
    const gone = await transaction.write(deleteTold, [site, told, latest, day]);
    transaction.forget(gone.length);
    transaction.touch('days');
    transaction.tell({ kind: 'day', day, action: 'removed' });
    return true;
  }, told.length);
}

/** $1: site, $2: day. */
const selectRevision: Statement = {
  name: 'day-revision',
  text: `SELECT d.revision AS "ofDay", s.days_revision AS "ofList" FROM tallybook.site s
    LEFT JOIN tallybook.day d ON d.site = s.site AND d.day = $2 WHERE s.site = $1`,
};

/** Keeps attendance in PostgreSQL. */
export class PostgresDayStore implements DayStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    return this.#database.run(async () => {
      const item = { kind: 'scan', day, id, at, source } as const;
      const key = `scan ${day} ${id} ${at}`;
      return (await this.#database.submit(addToDays, item, ROWS_OF_AN_ENTRY, key)) ?? 'already-counted';
    });
  }

  merge(day: Day, entries: readonly Entry[]): Promise<void> {
    return this.#database.run(async () => {
      const item = { kind: 'entries', day, entries } as const;
      await this.#database.submit(addToDays, item, ROWS_OF_AN_ENTRY * entries.length);
    });
  }

  load(day: Day): Promise<AttendanceDay | undefined> {
    return this.#database.run(() =>
      this.#database.read((connection) => readDay(connection, this.#database.site, day)),
    );
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.#database.run(() =>
      this.#database.read((connection) => readScans(connection, this.#database.site, day, id)),
    );
  }

  list(from: Day, to: Day): Promise<readonly Day[]> {
    return this.#database.run(() =>
      this.#database.read((connection) => readDays(connection, this.#database.site, from, to)),
    );
  }

  remove(day: Day): Promise<boolean> {
    return this.#database.run(() => removeDay(this.#database, day));
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.#database.run(() =>
      this.#database.read(async (connection) => {
        const [row] = await connection.query<{ ofDay: number | null; ofList: number }>(selectRevision, [
          this.#database.site,
          day,
        ]);
        // A day without a record has one revision before it was recorded, and another one after its removal.
        const { ofDay = null, ofList = 0 } = row ?? {};
        return ofDay === null ? `none ${ofList}` : String(ofDay);
      }),
    );
  }

  listRevision(): Promise<Revision> {
    return this.#database.run(async () => String((await this.#database.readRow()).daysRevision));
  }
}
