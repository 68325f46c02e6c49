import type { Revision } from '@tallybook/domain';
import type { RawLevel } from '../level/raw-level.js';
import type { Write } from './group-commit.js';
import type { JournalEnd } from './journal-end.js';
import type { LevelDatabase } from './level-database.js';

/** A part of a storage. Each operation rejects with `NOT_OPEN` unless the storage is open; closing waits for it. */
export abstract class LevelFacet {
  protected readonly database: LevelDatabase;

  constructor(database: LevelDatabase) {
    this.database = database;
  }

  protected run<T>(work: () => Promise<T>): Promise<T> {
    return this.database.run(work);
  }

  /** Reads, as {@link LevelDatabase.read} does. */
  protected query<T>(work: (level: RawLevel, journal: JournalEnd) => Promise<T>): Promise<T> {
    return this.run(() => this.database.read(work));
  }

  /** Writes, as {@link LevelDatabase.write} does. */
  protected commit<T>(write: Write<T>): Promise<T> {
    return this.run(() => this.database.write(write));
  }

  /** Counted in memory: while the database is open, no other process can write. */
  protected async revisionOf(subject: string): Promise<Revision> {
    if (this.database.status !== 'open') throw this.database.notOpen();
    return this.database.handle.revisions.of(subject);
  }
}
