/** Clients that are remembered at a time. A client that is forgotten begins anew. */
const MOST_CLIENTS = 10_000;

/**
 * Lets each client do something so often, and a number of times at once after it has done nothing for a while: a bucket of
 * tokens for each, kept as the one moment at which it will be full again (the generic cell rate algorithm).
 */
export class Pace {
  readonly #everyMs: number;
  readonly #toleranceMs: number;
  /** When the bucket of each is full; those that came last are the last ones. */
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
