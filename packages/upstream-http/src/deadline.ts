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

  /** Whether the request has taken too long. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Starts the time again. */
  renew(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#controller.abort();
    }, this.#timeoutMs);
    // Everything that is sent is durable here, so the timer need not keep the program alive.
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
