/** More than a server can have open at a time. */
const MOST = 10_000;

/**
 * Outcomes of writes that were rejected because nobody knew then that they had happened. A repeat of the same write gets the first
 * outcome, so that a scan that was counted stays counted.
 */
export class FirstAnswers {
  readonly #answers = new Map<string, unknown>();

  add(key: string, answer: unknown): void {
    this.#answers.set(key, answer);
    // The oldest one comes first.
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** The first answer, once; the present one if there is none. */
  takeOr(key: string | undefined, present: unknown): unknown {
    if (key === undefined || !this.#answers.has(key)) return present;
    const first = this.#answers.get(key);
    this.#answers.delete(key);
    return first;
  }
}
