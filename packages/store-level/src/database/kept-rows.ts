import { auditHeadKey } from '../rows/keys.js';
import { rowName, type Row, type RowMap } from '../rows/rows.js';

/** The rows that every write of somebody who has signed in reads. */
const names: readonly string[] = [auditHeadKey].map(rowName);

/**
 * Rows of an open LevelDB as its latest commit left them, so that they need no look-up. They are right because nobody else writes,
 * and after a failed write another LevelDB is opened.
 */
export class KeptRows {
  readonly #rows = new Map<string, Row>();

  /** @param name A {@link rowName}. */
  find(name: string): Row | undefined {
    return this.#rows.get(name);
  }

  /** Takes the rows that a commit has written. */
  take(changes: RowMap): void {
    for (const name of names) {
      const row = changes.get(name);
      if (row !== undefined) this.#rows.set(name, row);
    }
  }
}
