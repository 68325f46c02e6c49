/** An iterator for several callers, one after another, who each take a part of the values. */
export class Peeking<T> implements AsyncIterator<T, unknown> {
  readonly #source: AsyncIterator<T, unknown>;
  #next: Promise<IteratorResult<T, unknown>> | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<T, unknown>> {
    const next = this.#next ?? this.#source.next();
    this.#next = undefined;
    return next;
  }

  /** Whether there is another value. */
  async hasNext(): Promise<boolean> {
    this.#next ??= this.#source.next();
    return (await this.#next).done !== true;
  }

  /** Ends the source. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
