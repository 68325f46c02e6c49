import type { Cursor, Journal, Scan } from '@tallybook/domain';
import { readEntries } from '../ledger/read-journal.js';

/** Scans that were announced since the latest comparison with the journal, and the problems of all comparisons. */
export class AnnouncedScans {
  readonly problems: string[] = [];
  /** Number of changes of names in the journal. */
  names = 0;
  #cursor: Cursor = 0;
  #announced: string[] = [];

  /** Notes an announced scan. */
  add({ id, at }: Pick<Scan, 'id' | 'at'>): void {
    this.#announced.push(`${id} ${at}`);
  }

  /** Reads the next changes of the journal: it must have each announced scan once, in this order. */
  async compare(journal: Pick<Journal, 'read'>): Promise<void> {
    const told: string[] = [];
    const { entries, reason } = await readEntries(journal, this.#cursor);
    for (const { cursor, change } of entries) {
      if (cursor <= this.#cursor) this.problems.push(`the journal has ${cursor} after ${this.#cursor}`);
      this.#cursor = cursor;
      if (change.kind === 'scan') told.push(`${change.id} ${change.at}`);
      if (change.kind === 'name') this.names++;
    }
    if (reason !== undefined) {
      this.problems.push(`the journal does not know what comes after ${this.#cursor}: ${reason}`);
      return;
    }
    if (told.join() !== this.#announced.join()) {
      this.problems.push(
        `the journal told ${told.length} scans up to ${this.#cursor}, not the ${this.#announced.length} that were announced, in their order`,
      );
    }
    this.#announced = [];
  }
}
