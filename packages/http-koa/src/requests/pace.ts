/** Largest number of remembered clients. A forgotten client starts with a full bucket. */
const MOST_CLIENTS = 10_000;

/**
 * Limits how often each client may do something. After a pause, a client may do it several times at once. Each client has a
 * bucket of tokens. It is stored as the time at which the bucket will be full again (the generic cell rate algorithm).
 */
export class Pace {
  readonly #everyMs: number;
  readonly #toleranceMs: number;
  /** The time at which the bucket of each client is full; the latest clients are last. */
  readonly #fullAt = new Map<string, number>();

  /**
   * @param everyMs Milliseconds after which one more action is allowed.
   * @param burst Number of actions allowed at once, at least 1.
   */
  constructor(everyMs: number, burst: number) {
    this.#everyMs = everyMs;
    this.#toleranceMs = (burst - 1) * everyMs;
  }

  /**
   * @param nowMs Time of a monotonic clock, in milliseconds.
   * @returns 0 if the action is allowed; else the milliseconds until it is.
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

  /** Number of remembered clients. */
  get size(): number {
    return this.#fullAt.size;
  }

  #forgetOldest(): void {
    const [oldest] = this.#fullAt.keys();
    if (oldest !== undefined) this.#fullAt.delete(oldest);
  }
}
