/** Ends a request that takes too long, or is no longer needed. */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param onEnd Called when the request has ended. */
  constructor(timeoutMs: number, onEnd: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onEnd = onEnd;
    this.renew();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time was over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Begins to count anew. */
  renew(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, this.#timeoutMs);
    // All that is sent is durable here, so a program need not stay alive for it.
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  abort(): void {
    this.#controller.abort();
  }

  [Symbol.dispose](): void {
    this.stop();
    this.#onEnd();
  }
}
