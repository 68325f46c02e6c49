import { randomUUID } from 'node:crypto';
import type { Day, Revision } from '@tallybook/domain';

/** The subjects that have revisions. */
export const subjects = {
  /** The list of days. */
  list: 'days',
  day: (day: Day): string => `day ${day}`,
  mapping: 'mapping',
  /** Persons and timelines. */
  people: 'people',
  /** The corrections of all days. */
  corrections: 'corrections',
  correctionsOf: (day: Day): string => `corrections ${day}`,
} as const;

/**
 * Revisions of stored data, counted in memory. That is enough: LevelDB lets no other process write, and all stores of a directory
 * in this process share one object of this class.
 */
export class Revisions {
  #epoch = randomUUID();
  readonly #subjects = new Map<string, { changes: number; underWay: number }>();
  #doubts = 0;

  /** While a change is under way, a read may or may not see it. So each call gives another revision then. */
  of(subject: string): Revision {
    const { changes, underWay } = this.#subjects.get(subject) ?? { changes: 0, underWay: 0 };
    const revision = `${this.#epoch}.${changes}`;
    return underWay === 0 ? revision : `${revision}.${++this.#doubts}`;
  }

  /**
   * Notes that a subject is about to change. Call the returned function, once, when the change can be read, and before it is
   * acknowledged.
   */
  begin(subject: string): () => void {
    const counts = this.#subjects.get(subject) ?? { changes: 0, underWay: 0 };
    this.#subjects.set(subject, counts);
    counts.underWay++;
    return () => {
      counts.underWay--;
      counts.changes++;
    };
  }

  /** Gives all subjects revisions that none has had before. */
  renew(): void {
    this.#epoch = randomUUID();
    for (const [subject, { underWay }] of this.#subjects) {
      if (underWay === 0) this.#subjects.delete(subject);
    }
  }
}
