import { lstatSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_NAME, numbered } from '../directory/store-directory.js';

/** Bytes of room that are made at a time: about the most that there is. LevelDB reads the room at the next start. */
const ROOM_BYTES = 262_144;

/**
 * Room at the end of LevelDB's log: zeros that take no space on the disk. A record that is written into the room does not make
 * the file longer. So the file system need not sync a new length, which costs another write, to its own journal, and another
 * flush.
 *
 * LevelDB's format allows this: type 0 of a record is "reserved for preallocated files" (`db/log_format.h`).
 *
 * The class counts the written bytes and does not ask the system for the length of the file. After such a question Linux may keep
 * exact times of writes for the file, and then the next sync writes the time as well.
 */
export class LogRoom {
  readonly #directory: string;
  #left = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Takes room for bytes that LevelDB is about to write, and makes more if it is used up. Must not be called while LevelDB
   * writes: the written bytes could be cut off.
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

  /** Makes room in the newest log: LevelDB writes to no other. */
  #make(): void {
    try {
      const newest = [...numbered(readdirSync(this.#directory), LOG_NAME).values()].at(-1);
      if (newest === undefined) return;
      const path = join(this.#directory, newest);
      const state = lstatSync(path);
      if (state.isFile()) truncateSync(path, state.size + ROOM_BYTES);
    } catch {
      // Without room a write only takes longer.
    }
  }
}
