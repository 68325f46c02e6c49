import {
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
import type { Statement } from '../connection/statement.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { addToDays, ROWS_OF_AN_ENTRY } from '../database/record-days.js';
import { removeDay } from '../database/remove-day.js';
import { readDay, readDays, readScans } from '../rows/day-rows.js';

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
