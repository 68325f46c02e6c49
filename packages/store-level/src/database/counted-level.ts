import { encodeNumbers } from '../leveldb-files/numbers.js';
import { commitKey } from '../rows/keys.js';
import type { JournalEnd } from './journal-end.js';
import { KeptRows } from './kept-rows.js';
import type { LogRoom } from './log-room.js';
import type { Batch, RawLevel } from '../level/raw-level.js';
import { addRow, addSealed, type Row, type SealedRow } from '../rows/rows.js';
import type { AcknowledgedCommits, CommitCount } from '../directory/acknowledged-commits.js';

/** Bytes of a batch in LevelDB's log beside its rows: headers of 19 bytes, and the row of the commit number. */
const BATCH_BYTES = 31;

interface CountedParts {
  readonly acknowledged: AcknowledgedCommits;
  readonly room: LogRoom;
  readonly journal: JournalEnd;
}

/**
 * A LevelDB that numbers its commits. The number is in a row of each commit and, after the sync, in the
 * {@link AcknowledgedCommits} beside LevelDB.
 */
export class CountedLevel {
  /** For reading. A write to it is no commit. */
  readonly raw: RawLevel;
  readonly journal: JournalEnd;
  readonly kept: KeptRows = new KeptRows();
  readonly #acknowledged: AcknowledgedCommits;
  readonly #room: LogRoom;
  readonly #identity: Buffer;
  #commits: number;
  /** The batch of the next commit, with the row of its number. */
  #next: Batch;

  /** @param stored Identity of the store, and the number of its latest commit. */
  constructor(raw: RawLevel, { acknowledged, room, journal }: CountedParts, stored: CommitCount) {
    this.raw = raw;
    this.journal = journal;
    this.#acknowledged = acknowledged;
    this.#room = room;
    this.#identity = stored.identity;
    this.#commits = stored.commits;
    this.#next = this.#begin(stored.commits + 1);
  }

  /** Identity of the store, and the number of the latest commit that was synced. */
  get acknowledged(): CommitCount {
    return { identity: this.#identity, commits: this.#commits };
  }

  /** The names of its files of acknowledged commits that cannot be written. */
  get unusable(): readonly string[] {
    return this.#acknowledged.unusable;
  }

  /**
   * Writes rows, sealed, and deletes those without a value: all or none, synced. One commit at a time. Do not use it after
   * a failure: the next batch could write the rows of the failed one.
   */
  async commit(rows: Iterable<Row>, added: Iterable<SealedRow> = []): Promise<void> {
    const batch = this.#next;
    let bytes = BATCH_BYTES;
    for (const row of rows) bytes += addRow(batch, row);
    for (const row of added) bytes += addSealed(batch, row);
    // Before LevelDB writes: making room while it writes could cut that off.
    this.#room.take(bytes);
    const synced = batch.write({ sync: true });
    // Prepared while the disk works, which takes longer.
    const commits = this.#commits + 1;
    this.#acknowledged.prepare(commits);
    this.#next = this.#begin(commits + 1);
    await synced;
    this.#commits = commits;
    this.#acknowledged.write();
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
      this.#acknowledged.close();
    }
  }
}
