import { encodeNumbers } from '../leveldb-files/numbers.js';
import { commitKey } from '../rows/keys.js';
import type { LogRoom } from './log-room.js';
import type { Batch, RawLevel } from '../level/raw-level.js';
import { addRow, type Row } from '../rows/rows.js';
import type { Testimony, Witness } from '../directory/acknowledged-commits.js';

/** What a batch is in LevelDB's log beside the rows that it is given: headers of 19 bytes, and the row of its number. */
const BATCH_BYTES = 31;

/**
 * A LevelDB that counts its commits: the number of each is in a row that it writes itself, and after the sync in the
 * {@link Witness} beside LevelDB.
 */
export class CountedLevel {
  /** For reading. Rows that are put into it are not counted. */
  readonly raw: RawLevel;
  readonly #witness: Witness;
  readonly #room: LogRoom;
  readonly #identity: Buffer;
  #commits: number;
  /** The batch of the next commit, with the row of its number. */
  #next: Batch;

  /** @param stored Which store it is, and how many commits it has seen. */
  constructor(raw: RawLevel, witness: Witness, room: LogRoom, stored: Testimony) {
    this.raw = raw;
    this.#witness = witness;
    this.#room = room;
    this.#identity = stored.identity;
    this.#commits = stored.commits;
    this.#next = this.#begin(stored.commits + 1);
  }

  /** What it must hold when it is opened again. */
  get testimony(): Testimony {
    return { identity: this.#identity, commits: this.#commits };
  }

  /**
   * Writes rows, sealed, and those without a value it deletes: all or none, and synced. One commit at a time. After a
   * failure, do not use it again: what was to be written may be in the next batch.
   */
  async commit(rows: Iterable<Row>): Promise<void> {
    const batch = this.#next;
    let bytes = BATCH_BYTES;
    for (const row of rows) bytes += addRow(batch, row);
    // Before it is written: what is written meanwhile could be cut off.
    this.#room.take(bytes);
    const synced = batch.write({ sync: true });
    // While the disk works, which takes longer.
    const commits = this.#commits + 1;
    this.#witness.prepare(commits);
    this.#next = this.#begin(commits + 1);
    await synced;
    this.#commits = commits;
    this.#witness.note();
  }

  #begin(commits: number): Batch {
    const batch = this.raw.batch();
    addRow(batch, { key: commitKey, value: encodeNumbers(commits) });
    return batch;
  }

  async close(): Promise<void> {
    try {
      await this.raw.close();
    } finally {
      this.#witness.close();
    }
  }
}
