import type { Cursor } from '@tallybook/domain';

/** A consumer that is so far ahead of what is written does not wait for the next commit. */
const FAR_AHEAD = 256;

interface Position {
  cursor: Cursor;
  /** What was last to be written; what was said first, if nobody knows. */
  due: Cursor;
  isWritten: boolean;
}

/** A position that a commit writes. */
export interface RidingPosition {
  readonly consumer: string;
  readonly cursor: Cursor;
}

/** How far the consumers of the journal got, as they said last. It is written with the next commit of something else. */
export class Positions {
  readonly #positions = new Map<string, Position>();

  /** `undefined` if nobody has said it since the opening. */
  get(consumer: string): Cursor | undefined {
    return this.#positions.get(consumer)?.cursor;
  }

  /** Returns whether it should be written soon. */
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

  /** What is to be written. */
  riding(): readonly RidingPosition[] {
    return [...this.#positions].flatMap(([consumer, { cursor, isWritten }]) =>
      isWritten ? [] : [{ consumer, cursor }],
    );
  }

  /** Says that these are written. */
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
