import {
  DAY_MAX,
  type Association,
  type AttendanceDay,
  type Day,
  type ProvisionalScan,
  type Snapshot,
  type SnapshotSource,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import { associationsOf, type Correction } from '@tallybook/domain/record';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { PostgresView } from '../database/postgres-view.js';
import { correctionsOfDays } from '../rows/correction-rows.js';
import { readDay, readDays, readScans } from '../rows/day-rows.js';
import { readNamePage } from '../rows/name-rows.js';
import { readProvisional } from '../rows/provisional-rows.js';

/** Snapshots of all rows of a site, each on a connection of its own. */
export class PostgresSnapshotSource implements SnapshotSource {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  take(): Promise<Snapshot> {
    const { site } = this.#database;
    return this.#database.run(async () => new PostgresSnapshot(site, await this.#database.view()));
  }
}

class PostgresSnapshot implements Snapshot {
  readonly #site: string;
  readonly #view: PostgresView;

  constructor(site: string, view: PostgresView) {
    this.#site = site;
    this.#view = view;
  }

  names(): AsyncGenerator<Association, void, undefined> {
    return associationsOf((after, limit) =>
      this.#view.read((connection) => readNamePage(connection, this.#site, { after, limit })),
    );
  }

  async *days(from = 0 as Day, to = DAY_MAX): AsyncGenerator<AttendanceDay, void, undefined> {
    const days = await this.#view.read((connection) => readDays(connection, this.#site, from, to));
    for (const day of days) {
      const record = await this.#view.read((connection) => readDay(connection, this.#site, day));
      if (record !== undefined) yield record;
    }
  }

  corrections(from = 0 as Day, to = DAY_MAX): AsyncGenerator<Correction, void, undefined> {
    return correctionsOfDays((work) => this.#view.read(work), this.#site, from, to);
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.#view.read((connection) => readScans(connection, this.#site, day, id));
  }

  async *provisional(): AsyncGenerator<ProvisionalScan, void, undefined> {
    yield* await this.#view.read((connection) => readProvisional(connection, this.#site));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#view[Symbol.asyncDispose]();
  }
}
