import { lstatSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_NAME, numbered } from '../leveldb-files/numbered-names.js';

/** How much room is made at a time, in bytes, and about how much there is at most. LevelDB reads it at the next start. */
const ROOM_BYTES = 262_144;

/**
 * Room at the end of LevelDB's log: zeros that take no space on the disk. A record that is written there does not make
 * the file longer, so the file system need not sync the new length as well, which it does by another write, to its own
 * journal, and another flush.
 *
 * LevelDB's format provides for it: its records have no type 0, "reserved for preallocated files" (`db/log_format.h`).
 *
 * It counts the written bytes and does not ask for the length of the file: Linux may keep exact times of writes only for files that
 * were asked about, and then the next sync writes the time as well.
 */
export class LogRoom {
  readonly #directory: string;
  #left = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Takes room for bytes that LevelDB is about to write, and makes more if it is used up. Must not be called while LevelDB writes:
   * that could be cut off.
   *
   * @param bytes About how many.
   */
  take(bytes: number): void {
    if (this.#left < bytes) {
      this.#make();
      this.#left = Math.max(0, this.#left) + ROOM_BYTES;
    }
    this.#left -= bytes;
  }

  /** Makes room in the newest log: LevelDB writes to no other one. */
  #make(): void {
    try {
      const newest = [...numbered(readdirSync(this.#directory), LOG_NAME).values()].at(-1);
      if (newest === undefined) return;
      const path = join(this.#directory, newest);
      const state = lstatSync(path);
      if (state.isFile()) truncateSync(path, state.size + ROOM_BYTES);
    } catch {
      // Without room a write takes longer, and that is all.
    }
  }
}
