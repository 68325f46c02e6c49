import { encodeNumbers } from './numbers.js';
import { commitKey } from './keys.js';
import type { RawLevel } from './raw-level.js';
import { writeRows, type Row } from './rows.js';
import type { Testimony, Witness } from './witness.js';

/**
 * A LevelDB that counts its commits: the number of each is in a row that it writes itself, and after the sync in the
 * {@link Witness} beside LevelDB.
 */
export class CountedLevel {
  /** For reading. Rows that are put into it are not counted. */
  readonly raw: RawLevel;
  readonly #witness: Witness;
  readonly #identity: Buffer;
  #commits: number;

  /** @param stored Which store it is, and how many commits it has seen. */
  constructor(raw: RawLevel, witness: Witness, stored: Testimony) {
    this.raw = raw;
    this.#witness = witness;
    this.#identity = stored.identity;
    this.#commits = stored.commits;
  }

  /** What it must hold when it is opened again. */
  get testimony(): Testimony {
    return { identity: this.#identity, commits: this.#commits };
  }

  /** Writes rows, sealed, and those without a value it deletes: all or none, and synced. After a failure, do not use it again. */
  async commit(rows: readonly Row[]): Promise<void> {
    const commits = this.#commits + 1;
    await writeRows(this.raw, [...rows, { key: commitKey, value: encodeNumbers(commits) }]);
    this.#commits = commits;
    this.#witness.note(commits);
  }

  async close(): Promise<void> {
    try {
      await this.raw.close();
    } finally {
      this.#witness.close();
    }
  }
}
