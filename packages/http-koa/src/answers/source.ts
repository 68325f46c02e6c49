/** The beginning of a piece, in a form that the source defines; `undefined` is the start. */
export type Place = string | number | undefined;

export interface Piece {
  readonly text: string;
  /** Beginning of the next piece; absent at the end. */
  readonly next?: string | number;
}

/** The content of an answer at one moment. The same place gives the same piece each time. */
export interface Source extends AsyncDisposable {
  /** Estimated bytes of memory in use, without the pieces. */
  readonly heldBytes: number;
  /**
   * Reads a piece. It takes a few milliseconds and has about 64 KiB, so nobody waits long and nobody holds much memory.
   */
  read(place: Place): Promise<Piece>;
}

/** A part of a text: plain text, or items with commas between them. */
export type Part = string | { readonly length: number; readonly item: (index: number) => string };

export function listOf<T>(items: readonly T[], format: (item: T) => string): Part {
  return { length: items.length, item: (index) => format(items[index] as T) };
}

const ITEMS_OF_PIECE = 1_000;

/** Text with long lists. The items are written only when their piece is read. */
export class ListSource implements Source {
  readonly heldBytes: number;
  readonly #parts: readonly Part[];
  /** The place of the first item of each part; text has one place. */
  readonly #starts: readonly number[];

  constructor(parts: readonly Part[], heldBytes: number) {
    this.#parts = parts;
    this.heldBytes = heldBytes;
    let start = 0;
    this.#starts = parts.map((part) => {
      const its = start;
      start += typeof part === 'string' ? 1 : part.length;
      return its;
    });
  }

  read(place: Place): Promise<Piece> {
    let at = Number(place ?? 0);
    const end = at + ITEMS_OF_PIECE;
    let text = '';
    for (const [n, part] of this.#parts.entries()) {
      const start = this.#starts[n] ?? 0;
      if (typeof part === 'string') {
        if (at !== start) continue;
        text += part;
        at++;
      } else {
        for (; at >= start && at < start + part.length; at++) {
          if (at >= end) return Promise.resolve({ text, next: at });
          text += at === start ? part.item(0) : `,${part.item(at - start)}`;
        }
      }
    }
    return Promise.resolve({ text });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
