import type { Cursor } from '@tallybook/domain';
import type { LevelDatabase } from '../database/level-database.js';
import type { RawLevel } from '../level/raw-level.js';
import type { KeyRange } from '../rows/keys.js';
import type { RawSnapshot } from '../queries/read-day.js';

/** Rows that are read together. */
const PAGE_ROWS = 1_000;

/** A row as LevelDB gives it. */
export type StoredRow = readonly [key: Buffer, sealed: Buffer];

/** The content of a database at one moment. It costs only the disk space of rows that are replaced meanwhile. */
export class LevelView implements AsyncDisposable {
  readonly #database: LevelDatabase;
  readonly #level: RawLevel;
  readonly #snapshot: RawSnapshot;
  /** The cursor of the latest change in the view, or an earlier cursor. */
  readonly latest: Cursor;
  readonly #release: () => void;

  private constructor(database: LevelDatabase, level: RawLevel, latest: Cursor) {
    this.#database = database;
    this.#level = level;
    this.latest = latest;
    this.#snapshot = level.snapshot();
    this.#release = database.handle.hold();
  }

  static of(database: LevelDatabase): Promise<LevelView> {
    return database.read((level, { latest }) => Promise.resolve(new LevelView(database, level, latest)));
  }

  /** Reads, as {@link LevelDatabase.read} does. */
  read<T>(work: (level: RawLevel, snapshot: RawSnapshot) => Promise<T>): Promise<T> {
    return this.#database.read((level) => {
      // Closing a LevelDB closes its snapshots too.
      if (level !== this.#level) throw new Error('the store was opened anew since the snapshot was taken');
      return work(level, this.#snapshot);
    });
  }

  /** The rows of a range, a page at a time. */
  async *pages({ gte, lt }: KeyRange): AsyncGenerator<readonly StoredRow[], void, undefined> {
    for (let start = gte; ;) {
      const page = await this.read((level, snapshot) =>
        level.iterator({ gte: start, lt, limit: PAGE_ROWS, snapshot }).all(),
      );
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      start = Buffer.concat([last[0], Buffer.of(0)]);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#release();
    return this.#snapshot.close();
  }
}
