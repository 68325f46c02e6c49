/** A piece ends when it has at least this many characters. */
export const PIECE_LENGTH = 65_536;

/** A part of a text: plain text, or items with commas between them. */
export type Part = string | Iterable<string>;

/** The items are written only when their piece is read. */
export function listOf<T>(items: readonly T[], format: (item: T) => string): Part {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield format(item);
    },
  };
}

/** The pieces of a text with long lists. */
export function* piecesOf(...parts: readonly Part[]): Generator<string, void, undefined> {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      let comma = '';
      for (const item of part) {
        text += comma + item;
        comma = ',';
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = '';
      }
    }
  }
  yield text;
}
