import {
  DAY_MAX,
  type AttendanceDay,
  type Day,
  type Name,
  type ProvisionalScan,
  type Snapshot,
  type SnapshotSource,
  type TallyId,
} from '@tallybook/domain';
import type { LevelDatabase } from './level-database.js';
import type { RawLevel } from './raw-level.js';
import { readDay, readDays, type RawSnapshot } from './read-day.js';
import { readNames } from './read-names.js';
import { readProvisional } from './read-provisional.js';

/** Snapshots of all that a directory holds. They take nothing but the disk space of what is replaced meanwhile. */
export class LevelSnapshotSource implements SnapshotSource {
  readonly #database: LevelDatabase;

  /** @param database Must be open, by one of its stores. */
  constructor(database: LevelDatabase) {
    this.#database = database;
  }

  take(): Promise<Snapshot> {
    return this.#database.read((level) =>
      Promise.resolve(new LevelSnapshot(this.#database, level, level.snapshot())),
    );
  }
}

class LevelSnapshot implements Snapshot {
  readonly #database: LevelDatabase;
  readonly #level: RawLevel;
  readonly #snapshot: RawSnapshot;

  constructor(database: LevelDatabase, level: RawLevel, snapshot: RawSnapshot) {
    this.#database = database;
    this.#level = level;
    this.#snapshot = snapshot;
  }

  async *names(): AsyncGenerator<readonly [id: TallyId, name: Name], void, undefined> {
    yield* await this.#read(readNames);
  }

  async *days(): AsyncGenerator<AttendanceDay, void, undefined> {
    const days = await this.#read((level, snapshot) => readDays(level, 0 as Day, DAY_MAX, snapshot));
    for (const day of days) {
      const record = await this.#read((level, snapshot) => readDay(level, day, snapshot));
      if (record !== undefined) yield record;
    }
  }

  async *provisional(): AsyncGenerator<ProvisionalScan, void, undefined> {
    yield* await this.#read(readProvisional);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#snapshot.close();
  }

  #read<T>(work: (level: RawLevel, snapshot: RawSnapshot) => Promise<T>): Promise<T> {
    return this.#database.read((level) => {
      // Closing a LevelDB closes its snapshots too.
      if (level !== this.#level) {
        throw new Error('the store was opened anew since the snapshot was taken');
      }
      return work(level, this.#snapshot);
    });
  }
}
