import { journalBounds, type Revision, type TallyId } from '@tallybook/domain';
import { StorageDatabase } from '@tallybook/domain/record';
import { GroupCommit, type Write } from './group-commit.js';
import type { JournalEnd } from './journal-end.js';
import { toWriteError } from '../level/level-errors.js';
import { expireCopy, removeCopy } from '../directory/migration-copy.js';
import { LevelHandle } from './level-handle.js';
import type { RawLevel } from '../level/raw-level.js';
import { scrubFiles } from './scrub-files.js';
import type { LevelDatabaseOptions } from './level-options.js';

/**
 * A directory with a LevelDB, shared by the facets of a storage. It is made if it is missing, private to its owner.
 *
 * After a failed write (`STORE_WRITE_FAILED`), for example on a full disk, the directory is opened again before the next write.
 * Until the disk allows that, reads return the data from before the failure. So the stores recover by themselves when the disk
 * does. A store that is opened on a full disk begins in this state.
 */
export class LevelDatabase extends StorageDatabase {
  /** The open LevelDB, and what is known of its state. */
  readonly handle: LevelHandle;
  readonly #writer: GroupCommit;
  /** Late writes that have begun: they may not be in the queue of writes yet. */
  readonly #late = new Set<Promise<unknown>>();

  /** @throws {RangeError} if a limit of the journal is out of range. */
  constructor(path: string, options: LevelDatabaseOptions = {}) {
    super();
    const { clock } = options;
    const now = clock === undefined ? () => Math.floor(Date.now() / 1_000) : () => clock.now();
    this.handle = new LevelHandle(path, options);
    this.#writer = new GroupCommit(this.handle, { ...journalBounds(options.journal ?? {}), now });
  }

  protected override connect(): Promise<void> {
    return this.handle.open();
  }

  protected override disconnect(): Promise<void> {
    return this.handle.close();
  }

  /**
   * Reads. Rejects with `STORE_READ_FAILED` or `STORE_CORRUPT`; damage is recorded for the next opening.
   *
   * @param work Calls LevelDB once, in the turn in which it is called, and may throw `STORE_CORRUPT` for rows that cannot be
   * decoded.
   */
  read<T>(work: (level: RawLevel, journal: JournalEnd) => Promise<T>): Promise<T> {
    return this.handle.read(work);
  }

  /**
   * Removes the bytes of deleted rows from all files. Resolves with whether none is left: see {@link scrubFiles}.
   *
   * @param isErased Whether a tag is erased: then only its present rows may be left.
   */
  scrub(isErased: (id: TallyId) => boolean): Promise<boolean> {
    return this.#writer.alone(() => scrubFiles(this.handle, isErased));
  }

  /** Removes the copy from before a migration. Rejects with `STORE_WRITE_FAILED`. @param reason For people. */
  removeCopy(reason: string): Promise<void> {
    return this.#changeCopy((directory) => removeCopy(directory, reason));
  }

  /** Removes the copy from before a migration if its time is over. `now` is in seconds since 1970, by a trusted clock. */
  expireCopy(now: number): Promise<void> {
    return this.#changeCopy((directory) => expireCopy(directory, now));
  }

  #changeCopy(change: (directory: string) => Promise<void>): Promise<void> {
    return this.run(async () => {
      const { directory, path } = this.handle;
      await change(directory).catch((error: unknown) => {
        throw toWriteError(path, error);
      });
    });
  }

  /**
   * Does a late write: one that enters the queue of writes after the turn of its call, because it waits for something, or writes
   * twice.
   */
  async writeLate<T>(work: () => Promise<T>): Promise<T> {
    const writing = work();
    this.#late.add(writing);
    try {
      return await writing;
    } finally {
      this.#late.delete(writing);
    }
  }

  /** Resolves when all late writes that have begun so far have ended. All other writes keep the order of their calls. */
  async lateWritesEnded(): Promise<void> {
    await Promise.allSettled(this.#late);
  }

  /** Writes durably. Rejects as {@link read} does, or with `STORE_WRITE_FAILED`: then the write may still have happened. */
  write<T>(write: Write<T>): Promise<T> {
    return this.#writer.submit(write);
  }
}

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
