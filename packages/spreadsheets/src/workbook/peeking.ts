/** An iterator that several callers use one after another, each taking a part. */
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

  /** Whether there is anything left. */
  async hasNext(): Promise<boolean> {
    this.#next ??= this.#source.next();
    return (await this.#next).done !== true;
  }

  /** Lets the source go. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }
}
