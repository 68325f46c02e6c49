import { auditHeadKey } from '../rows/keys.js';
import { rowName, type Row, type RowMap } from '../rows/rows.js';

/** The rows that are read by every write of a signed-in person. */
const names: readonly string[] = [auditHeadKey].map(rowName);

/**
 * Rows of an open LevelDB as its latest commit left them: they need no look-up. They are right because nobody else writes, and
 * because a failed write is followed by a new opening.
 */
export class KeptRows {
  readonly #rows = new Map<string, Row>();

  /** @param name A {@link rowName}. */
  find(name: string): Row | undefined {
    return this.#rows.get(name);
  }

  /** Keeps the rows that a commit has written. */
  take(changes: RowMap): void {
    for (const name of names) {
      const row = changes.get(name);
      if (row !== undefined) this.#rows.set(name, row);
    }
  }
}
