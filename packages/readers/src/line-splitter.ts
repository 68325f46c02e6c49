/** A line: its text without the line end, or the fact that it is too long. */
export type Line = { readonly text: string } | { readonly isTooLong: true };

/** CR LF gives an empty line between the two, which is ignored. */
const LINE_END = /[\r\n]/g;

/**
 * Splits text that comes in pieces into lines, which end with CR or LF. A line that is too long is reported at once and
 * not kept, so memory is bounded.
 */
export class LineSplitter {
  readonly #maxLength: number;
  #line = '';
  #isSkipping = false;

  /** @param maxLength Longest line, in UTF-16 code units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Takes the next piece of text and yields the lines that it completes. */
  *push(text: string): Generator<Line, void, undefined> {
    let start = 0;
    for (const { index } of text.matchAll(LINE_END)) {
      yield* this.#append(text.slice(start, index));
      yield* this.end();
      start = index + 1;
    }
    yield* this.#append(text.slice(start));
  }

  /** Yields the unfinished line, at the end of a stream. */
  *end(): Generator<Line, void, undefined> {
    const text = this.#line;
    const isSkipping = this.#isSkipping;
    this.#line = '';
    this.#isSkipping = false;
    if (!isSkipping) yield { text };
  }

  *#append(text: string): Generator<Line, void, undefined> {
    if (this.#isSkipping) return;
    if (this.#line.length + text.length <= this.#maxLength) {
      this.#line += text;
      return;
    }
    this.#line = '';
    this.#isSkipping = true;
    yield { isTooLong: true };
  }
}
