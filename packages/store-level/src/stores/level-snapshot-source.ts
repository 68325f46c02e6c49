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
import type { LevelDatabase } from '../database/level-database.js';
import { LevelView } from './level-view.js';
import { correctionsOfDays, readScans } from '../queries/read-corrections.js';
import { readDay, readDays } from '../queries/read-day.js';
import { readNamePage } from '../queries/read-names.js';
import { readProvisional } from '../queries/read-provisional.js';

/** Snapshots of all rows of a directory. They cost only the disk space of rows that are replaced meanwhile. */
export class LevelSnapshotSource implements SnapshotSource {
  readonly #database: LevelDatabase;

  constructor(database: LevelDatabase) {
    this.#database = database;
  }

  take(): Promise<Snapshot> {
    return this.#database.run(async () => new LevelSnapshot(await LevelView.of(this.#database)));
  }
}

class LevelSnapshot implements Snapshot {
  readonly #view: LevelView;

  constructor(view: LevelView) {
    this.#view = view;
  }

  names(): AsyncGenerator<Association, void, undefined> {
    return associationsOf((after, limit) =>
      this.#view.read((level, snapshot) => readNamePage(level, snapshot, { after, limit })),
    );
  }

  async *days(from = 0 as Day, to = DAY_MAX): AsyncGenerator<AttendanceDay, void, undefined> {
    const days = await this.#view.read((level, snapshot) => readDays(level, from, to, snapshot));
    for (const day of days) {
      const record = await this.#view.read((level, snapshot) => readDay(level, day, snapshot));
      if (record !== undefined) yield record;
    }
  }

  corrections(from = 0 as Day, to = DAY_MAX): AsyncGenerator<Correction, void, undefined> {
    return correctionsOfDays((work) => this.#view.read(work), from, to);
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.#view.read((level, snapshot) => readScans(level, day, id, snapshot));
  }

  async *provisional(): AsyncGenerator<ProvisionalScan, void, undefined> {
    yield* await this.#view.read(readProvisional);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#view[Symbol.asyncDispose]();
  }
}
