import type { TallybookError } from '@tallybook/domain';
import { GroupCommit, type Write } from './group-commit.js';
import { LevelHandle, type LevelDatabaseOptions } from './level-handle.js';
import type { RawLevel } from '../level/raw-level.js';
import type { Revisions } from './revisions.js';
import { repairStore, type RepairReport } from '../repair/repair-store.js';
import { holdsStore } from '../directory/store-directory.js';

/**
 * A directory with a LevelDB in it, shared by the stores that are made with it.
 *
 * The first store that opens opens the directory, and makes it, private to its owner, if it is missing; the last
 * one that closes closes it. While it is open no other process can open it, and within the process no other
 * `LevelDatabase` can: their stores reject with `STORE_LOCKED`. Do not read the directory's file LOCK in this
 * process: closing a file drops the lock of the process on it.
 *
 * After a write has failed (`STORE_WRITE_FAILED`), for example because the disk is full, the directory is opened
 * anew before anything else is written; until the disk takes that, reads go on with what was there. So the stores go
 * on by themselves when the disk is well again. A store that is opened on a full disk begins in that state.
 */
export class LevelDatabase {
  readonly #handle: LevelHandle;
  readonly #writer: GroupCommit;
  #users = 0;

  constructor(path: string, options: LevelDatabaseOptions = {}) {
    this.#handle = new LevelHandle(path, options);
    this.#writer = new GroupCommit(this.#handle);
  }

  /**
   * Tells whether there is a store at a path, without making or changing anything; a damaged one is one too.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if something else is there, or it cannot be looked into.
   */
  static exists(path: string): Promise<boolean> {
    return holdsStore(path);
  }

  /**
   * Saves what can be saved of a damaged store into a new one in its place, and keeps the old files in a folder beside
   * the new ones. A sound store is left as it is. If it is interrupted, repair again, or open the store.
   *
   * @throws {TallybookError} `STORE_UNAVAILABLE` if there is no store or something else, `STORE_LOCKED` if it is in use,
   * `STORE_FORMAT_UNSUPPORTED` if it is one of another version or program.
   */
  static repair(path: string): Promise<RepairReport> {
    return repairStore(path);
  }

  /** Of what all stores of the directory keep. */
  get revisions(): Revisions {
    return this.#handle.revisions;
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
   * Reads. Rejects with `STORE_READ_FAILED` or `STORE_CORRUPT`; damage is noted for the next opening.
   *
   * @param work Makes one call to LevelDB, at once, and may throw `STORE_CORRUPT` for what does not decode.
   */
  read<T>(work: (level: RawLevel) => Promise<T>): Promise<T> {
    return this.#handle.read(work);
  }

  /** Takes note of damage that was gone by, as by a read that rejects. */
  async noteDamage(error: TallybookError): Promise<void> {
    await this.#handle.explain(error);
  }

  /** Writes, durably. Rejects with `STORE_WRITE_FAILED`, and then may be written all the same, or as reading does. */
  write<T>(write: Write<T>): Promise<T> {
    return this.#writer.submit(write);
  }
}
