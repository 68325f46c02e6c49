import { tooSoon } from './sign-in-throttle.js';

/** Maximum number of works under way at the same time. */
const MAX_AT_ONCE = 20;
const WAIT_MS = 2_000;

/** Limits how much of one kind of work is under way, or waits, at the same time. */
export class WorkLimit {
  #count = 0;

  /** @throws {TallybookError} `SIGN_IN_TOO_SOON` while the maximum is under way. */
  requireRoom(): void {
    if (this.#count >= MAX_AT_ONCE) throw tooSoon(WAIT_MS);
  }

  /** Rejects as {@link requireRoom} throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.requireRoom();
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
    }
  }
}
