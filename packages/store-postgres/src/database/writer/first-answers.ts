/** Kept outcomes: more than a server can have unanswered at a time. */
const MOST = 10_000;

/**
 * Outcomes of writes that happened although they were rejected: their outcome was unknown at that time. A repeat of such a write
 * gets its first outcome, so that a counted scan stays counted.
 */
export class FirstAnswers {
  readonly #answers = new Map<string, unknown>();

  add(key: string, answer: unknown): void {
    this.#answers.set(key, answer);
    // A `Map` gives the oldest key first.
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** The first answer, only once; otherwise the present one. */
  takeOr(key: string | undefined, present: unknown): unknown {
    if (key === undefined || !this.#answers.has(key)) return present;
    const first = this.#answers.get(key);
    this.#answers.delete(key);
    return first;
  }
}
