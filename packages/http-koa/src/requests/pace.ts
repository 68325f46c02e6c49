/** Clients that are remembered at a time. A client that is forgotten begins anew. */
const MOST_CLIENTS = 10_000;

/**
 * Limits how often each client may do something. A client that has not done it for a while may do it several times at once. Each
 * client has a bucket of tokens, kept as the moment at which it will be full again (the generic cell rate algorithm).
 */
export class Pace {
  readonly #everyMs: number;
  readonly #toleranceMs: number;
  /** When the bucket of each client is full; the latest clients are last. */
  readonly #fullAt = new Map<string, number>();

  /**
   * @param everyMs Milliseconds after which one more is allowed.
   * @param burst How many are allowed at once, at least 1.
   */
  constructor(everyMs: number, burst: number) {
    this.#everyMs = everyMs;
    this.#toleranceMs = (burst - 1) * everyMs;
  }

  /**
   * @param nowMs Of a clock that only goes forward.
   * @returns 0 if it is allowed; else the milliseconds until it is.
   */
  take(client: string, nowMs: number): number {
    const fullAt = Math.max(this.#fullAt.get(client) ?? 0, nowMs);
    const waitMs = fullAt - nowMs - this.#toleranceMs;
    if (waitMs > 0) return waitMs;
    this.#fullAt.delete(client);
    this.#fullAt.set(client, fullAt + this.#everyMs);
    if (this.#fullAt.size > MOST_CLIENTS) this.#forgetOldest();
    return 0;
  }

  /** How many clients are remembered. */
  get size(): number {
    return this.#fullAt.size;
  }

  #forgetOldest(): void {
    const [oldest] = this.#fullAt.keys();
    if (oldest !== undefined) this.#fullAt.delete(oldest);
  }
}
