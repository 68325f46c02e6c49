import type { Cursor } from '../ports/record/journal.js';

/** A position that is this many changes ahead of the written one is written by a commit of its own. */
const FAR_AHEAD = 256;

interface Position {
  cursor: Cursor;
  /** The position that was last written, or last due to be written; if neither is known, the first noted position. */
  due: Cursor;
  isWritten: boolean;
}

/** A consumer, and the last change that it has handled. */
export interface ConsumerPosition {
  readonly consumer: string;
  readonly cursor: Cursor;
}

/**
 * The positions of consumers of a `Journal`, for a store whose commits are costly: a position is written together with the next
 * commit of something else, and by a commit of its own only when it is far ahead.
 */
export class ConsumerPositions {
  readonly #positions = new Map<string, Position>();

  /** `undefined` if it was neither learnt nor noted since the opening. */
  get(consumer: string): Cursor | undefined {
    return this.#positions.get(consumer)?.cursor;
  }

  /** Learns the written position, unless the consumer has noted another one since. */
  learn(consumer: string, cursor: Cursor): void {
    if (!this.#positions.has(consumer)) {
      this.#positions.set(consumer, { cursor, due: cursor, isWritten: true });
    }
  }

  /** Notes a position, and returns whether it should be written soon. */
  note(consumer: string, cursor: Cursor): boolean {
    const known = this.#positions.get(consumer);
    if (known === undefined) {
      this.#positions.set(consumer, { cursor, due: cursor, isWritten: false });
      return false;
    }
    if (known.cursor === cursor) return false;
    known.cursor = cursor;
    known.isWritten = false;
    const isFarAhead = Math.abs(cursor - known.due) >= FAR_AHEAD;
    // If the write fails, as on a full disk, the next one is due after as many changes again.
    if (isFarAhead) known.due = cursor;
    return isFarAhead;
  }

  /** The positions that the next commit has to write. */
  unwritten(): readonly ConsumerPosition[] {
    const unwritten: ConsumerPosition[] = [];
    for (const [consumer, { cursor, isWritten }] of this.#positions) {
      if (!isWritten) unwritten.push({ consumer, cursor });
    }
    return unwritten;
  }

  /** Call it when these positions are written. */
  settle(written: readonly ConsumerPosition[]): void {
    for (const { consumer, cursor } of written) {
      const position = this.#positions.get(consumer);
      if (position === undefined) continue;
      position.due = cursor;
      position.isWritten = position.cursor === cursor;
    }
  }

  /** Forgets all, at the closing of the store. */
  clear(): void {
    this.#positions.clear();
  }
}
