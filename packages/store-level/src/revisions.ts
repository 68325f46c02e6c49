import { randomUUID } from 'node:crypto';
import type { Revision } from '@tallybook/domain';

/**
 * Revisions of what is stored, counted in memory. That is enough because LevelDB lets no other process in, and all
 * stores of a directory in this process share these.
 */
export class Revisions {
  #epoch = randomUUID();
  readonly #changes = new Map<string, number>();

  of(subject: string): Revision {
    return `${this.#epoch}.${this.#changes.get(subject) ?? 0}`;
  }

  /**
   * Says that a subject has changed. Call it when the change can be read and not earlier, or a reader takes the
   * old data for those of the new revision.
   */
  bump(subject: string): void {
    this.#changes.set(subject, (this.#changes.get(subject) ?? 0) + 1);
  }

  /** Makes the revisions of all subjects differ from all that were before. */
  renew(): void {
    this.#epoch = randomUUID();
    this.#changes.clear();
  }
}
