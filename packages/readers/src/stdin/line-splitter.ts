/** What a line came to: its text without its end, or that it is longer than allowed. */
export type Line = { readonly text: string } | { readonly isTooLong: true };

/** Between CR and LF is an empty line, which means nothing to anybody. */
const LINE_END = /[\r\n]/g;

/**
 * Cuts text that comes in pieces into lines, which end with CR or LF. Of a line that is too long it says so at once, and keeps nothing of
 * it, so that its memory is bounded.
 */
export class LineSplitter {
  readonly #maxLength: number;
  #line = '';
  #isSkipping = false;

  /** @param maxLength Most UTF-16 code units of a line. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Takes the next piece of text and gives what it completed. */
  *push(text: string): Generator<Line, void, undefined> {
    let start = 0;
    for (const { index } of text.matchAll(LINE_END)) {
      yield* this.#append(text.slice(start, index));
      yield* this.end();
      start = index + 1;
    }
    yield* this.#append(text.slice(start));
  }

  /** Ends the line that has begun, as the end of a stream does. */
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
