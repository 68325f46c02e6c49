import {
  journalBounds,
  type ConsumerPositions,
  type Subscribable,
  type TallybookError,
  type TallyId,
} from '@tallybook/domain';
import { GroupCommit, type Write } from './group-commit.js';
import type { JournalEnd } from './journal-end.js';
import { LevelHandle, type LevelDatabaseOptions } from './level-handle.js';
import type { RawLevel } from '../level/raw-level.js';
import type { Revisions } from './revisions.js';
import { repairStore, type RepairReport } from '../repair/repair-store.js';
import { scrubFiles } from './scrub-files.js';
import { holdsStore } from '../directory/store-directory.js';

/**
 * A directory with a LevelDB, shared by the stores that are made with it.
 *
 * The first store that opens opens the directory, and makes it, private to its owner, if it is missing. The last
 * store that closes closes it. While it is open, other processes and other `LevelDatabase`s of this process cannot
 * open it: their stores reject with `STORE_LOCKED`. Do not read the directory's file LOCK in this process: closing a
 * file drops the lock of the process on it.
 *
 * After a failed write (`STORE_WRITE_FAILED`), for example on a full disk, the directory is opened again before the
 * next write. Until the disk allows that, reads go on with the data from before. So the stores recover by themselves
 * when the disk does. A store that is opened on a full disk begins in this state.
 */
export class LevelDatabase {
  readonly #handle: LevelHandle;
  readonly #writer: GroupCommit;
  #users = 0;
  #mayHaveStamps = false;
  /** Writes that were called for, and may not have joined the writes yet. */
  readonly #late = new Set<Promise<unknown>>();

  /** @throws {RangeError} if a limit of the journal is out of range. */
  constructor(path: string, options: LevelDatabaseOptions = {}) {
    const { clock } = options;
    const now = clock === undefined ? () => Math.floor(Date.now() / 1_000) : () => clock.now();
    this.#handle = new LevelHandle(path, options);
    this.#writer = new GroupCommit(this.#handle, { ...journalBounds(options.journal ?? {}), now });
  }

  /**
   * Whether there is a store at a path, damaged or not. Changes nothing.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if something else is there, or the path cannot be read.
   */
  static exists(path: string): Promise<boolean> {
    return holdsStore(path);
  }

  /**
   * Saves the sound rows of a damaged store into a new one in its place, and keeps the old files in a folder beside
   * the new ones. A sound store does not change. After an interruption, repair again, or open the store.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store or something else, `STORE_LOCKED` if it is in
   * use, `STORE_FORMAT_UNSUPPORTED` if it is one of another version or program.
   */
  static repair(path: string): Promise<RepairReport> {
    return repairStore(path);
  }

  /** Revisions of the data of all stores of the directory. */
  get revisions(): Revisions {
    return this.#handle.revisions;
  }

  /** Emits when there is more in the journal. */
  get appended(): Subscribable<void> {
    return this.#handle.appended;
  }

  /** How far the consumers of the journal got, since the opening. */
  get positions(): ConsumerPositions {
    return this.#handle.positions;
  }

  /** Whether a name may have a stamp, which a change of the name must look at then. */
  get mayHaveStamps(): boolean {
    return this.#mayHaveStamps;
  }

  /** Says that there are stamps, or will be. */
  expectStamps(): void {
    this.#mayHaveStamps = true;
  }

  /** Opens the directory for one more user. */
  async acquire(): Promise<void> {
    this.#users++;
    try {
      await this.#handle.open();
    } catch (error) {
      this.#users--;
      throw error;
    }
  }

  /** Closes the directory if this user was the last one. */
  async release(): Promise<void> {
    this.#users--;
    if (this.#users === 0) await this.#handle.close();
  }

  /**
   * Reads. Rejects with `STORE_READ_FAILED` or `STORE_CORRUPT`; damage is recorded for the next opening.
   *
   * @param work Makes one call to LevelDB, at once, and may throw `STORE_CORRUPT` for rows that cannot be decoded.
   */
  read<T>(work: (level: RawLevel, journal: JournalEnd) => Promise<T>): Promise<T> {
    return this.#handle.read(work);
  }

  /** Keeps the state of this moment readable, until the returned function is called. */
  hold(): () => void {
    return this.#handle.hold();
  }

  /**
   * Removes the bytes of rows that were deleted from all files, and resolves with whether none is left: see
   * {@link scrubFiles}.
   *
   * @param isErased Whether only the present rows of a tag may be left.
   */
  scrub(isErased: (id: TallyId) => boolean): Promise<boolean> {
    return this.#writer.alone(() => scrubFiles(this.#handle, isErased));
  }

  /** Where the files are. */
  get directory(): string {
    return this.#handle.directory;
  }

  /** Records damage that a read skipped, for the next opening. */
  async noteDamage(error: TallybookError): Promise<void> {
    await this.#handle.explain(error);
  }

  /** Does a write that does not join the writes in the turn of its call, since it waits for something, or writes twice. */
  async writeLate<T>(work: () => Promise<T>): Promise<T> {
    const writing = work();
    this.#late.add(writing);
    try {
      return await writing;
    } finally {
      this.#late.delete(writing);
    }
  }

  /** Resolves when the late writes that were called for so far have ended. All other writes keep the order of the calls. */
  async lateWritesEnded(): Promise<void> {
    await Promise.allSettled(this.#late);
  }

  /**
   * Writes durably. Rejects like {@link read}, or with `STORE_WRITE_FAILED`: then the write may have happened all the
   * same.
   */
  write<T>(write: Write<T>): Promise<T> {
    return this.#writer.submit(write);
  }
}
