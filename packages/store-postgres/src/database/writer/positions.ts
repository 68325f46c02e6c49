import type { Cursor } from '@tallybook/domain';

/** The position of a consumer that is so many changes ahead of the written one does not wait for the next commit. */
const FAR_AHEAD = 256;

interface Position {
  cursor: Cursor;
  /** The position that was last to be written; if nobody knows it, the first that the consumer noted. */
  due: Cursor;
  isWritten: boolean;
}

/** A position that a commit writes. */
export interface RidingPosition {
  readonly consumer: string;
  readonly cursor: Cursor;
}

/** The positions of consumers of the journal. They are written with the next commit of something else. */
export class Positions {
  readonly #positions = new Map<string, Position>();

  /** `undefined` if it was not noted since the opening. */
  get(consumer: string): Cursor | undefined {
    return this.#positions.get(consumer)?.cursor;
  }

  /** Notes a position, and returns whether it should be written soon. */
  say(consumer: string, cursor: Cursor): boolean {
    const known = this.#positions.get(consumer);
    if (known === undefined) {
      this.#positions.set(consumer, { cursor, due: cursor, isWritten: false });
      return false;
    }
    if (known.cursor === cursor) return false;
    known.cursor = cursor;
    known.isWritten = false;
    const isFarAhead = Math.abs(cursor - known.due) >= FAR_AHEAD;
    // If that fails it is tried again so much later.
    if (isFarAhead) known.due = cursor;
    return isFarAhead;
  }

  /** The positions that the next commit has to write. */
  riding(): readonly RidingPosition[] {
    return [...this.#positions].flatMap(([consumer, { cursor, isWritten }]) =>
      isWritten ? [] : [{ consumer, cursor }],
    );
  }

  /** Called when these are written. */
  settle(riding: readonly RidingPosition[]): void {
    for (const { consumer, cursor } of riding) {
      const position = this.#positions.get(consumer);
      if (position === undefined) continue;
      position.due = cursor;
      position.isWritten = position.cursor === cursor;
    }
  }

  clear(): void {
    this.#positions.clear();
  }
}
