import type { Cursor } from '@tallybook/domain';
import { encodeSequence } from '../rows/codec.js';
import { positionKey } from '../rows/keys.js';
import type { SavedRow } from '../rows/row-kinds.js';

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
  readonly row: SavedRow;
}

/** How far the consumers of the journal got, as they said last. It is written with the next commit of something else. */
export class Positions {
  readonly #positions = new Map<string, Position>();

  /** `undefined` if nobody has asked for it, or said it, since the opening. */
  get(consumer: string): Cursor | undefined {
    return this.#positions.get(consumer)?.cursor;
  }

  /** Learns what is written, unless the consumer has said something since. */
  learn(consumer: string, cursor: Cursor): void {
    if (!this.#positions.has(consumer)) {
      this.#positions.set(consumer, { cursor, due: cursor, isWritten: true });
    }
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
    // If that fails, as on a full disk, it is tried again so much later.
    if (isFarAhead) known.due = cursor;
    return isFarAhead;
  }

  /** What is to be written. */
  riding(): readonly RidingPosition[] {
    const riding: RidingPosition[] = [];
    for (const [consumer, { cursor, isWritten }] of this.#positions) {
      if (isWritten) continue;
      riding.push({ consumer, cursor, row: { key: positionKey(consumer), value: encodeSequence(cursor) } });
    }
    return riding;
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
