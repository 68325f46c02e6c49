import { auditHeadKey } from '../rows/keys.js';
import { rowName, type Row, type RowMap } from '../rows/rows.js';

/** What every write of somebody who has signed in asks for. */
const names: readonly string[] = [auditHeadKey].map(rowName);

/**
 * Rows of an open LevelDB as its latest commit left them, so that they are not looked up. That is enough because nobody else
 * writes, and after a failed write another LevelDB is opened.
 */
export class KeptRows {
  readonly #rows = new Map<string, Row>();

  /** @param name A {@link rowName}. */
  find(name: string): Row | undefined {
    return this.#rows.get(name);
  }

  /** Takes what a commit has written. */
  take(changes: RowMap): void {
    for (const name of names) {
      const row = changes.get(name);
      if (row !== undefined) this.#rows.set(name, row);
    }
  }
}
