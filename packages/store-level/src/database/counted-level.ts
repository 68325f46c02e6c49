import { encodeNumbers } from '../leveldb-files/numbers.js';
import { commitKey } from '../rows/keys.js';
import type { JournalEnd } from './journal-end.js';
import type { LogRoom } from './log-room.js';
import type { Batch, RawLevel } from '../level/raw-level.js';
import { addRow, addSealed, type Row, type SealedRow } from '../rows/rows.js';
import type { AcknowledgedCommits, CommitCount } from '../directory/acknowledged-commits.js';

/** Bytes that a batch takes in LevelDB's log in addition to its rows: headers of 19 bytes, and the row of the commit number. */
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
  /** For reading only: a write to it would not be counted as a commit. */
  readonly raw: RawLevel;
  readonly journal: JournalEnd;
  /**
   * The end of the audit trail as the latest commit left it: every write of a signed-in person reads it, and so it needs no look-up.
   * It is right because nobody else writes, and because a failed write is followed by a new opening.
   */
  auditHead: Row | undefined;
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

  /** Identity of the store, and the number of its latest synced commit. */
  get acknowledged(): CommitCount {
    return { identity: this.#identity, commits: this.#commits };
  }

  /** The names of the files `ACKNOWLEDGED` and `ACKNOWLEDGED-2` that cannot be written. */
  get unusable(): readonly string[] {
    return this.#acknowledged.unusable;
  }

  /**
   * Seals and writes rows, and deletes rows without a value: all or none, synced. Only one commit may be under way at a time. Do
   * not use this object after a failure: the next batch could write the rows of the failed one.
   */
  async commit(rows: Iterable<Row>, added: Iterable<SealedRow> = []): Promise<void> {
    const batch = this.#next;
    let bytes = BATCH_BYTES;
    for (const row of rows) bytes += addRow(batch, row);
    for (const row of added) bytes += addSealed(batch, row);
    // Before LevelDB writes: making room meanwhile could cut off the written bytes.
    this.#room.take(bytes);
    const synced = batch.write({ sync: true });
    // Prepared while the disk works: the disk takes longer.
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
