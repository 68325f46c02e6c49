import { TallybookError } from './errors.js';
import type { Reading } from './ports/id-source.js';

/** Longest repeat window: one day in milliseconds. */
export const REPEAT_WINDOW_MAX_MS = 86_400_000;

/** The repeat window when none is set, in milliseconds. */
export const REPEAT_WINDOW_DEFAULT_MS = 2_000;

/**
 * Tells a new tap from a tag that is still resting on the reader.
 *
 * A reading repeats the tap before it when the same tag was read by the same reader less than `windowMs` ago.
 * The window slides: each repeated reading extends it, so a tag that rests for an hour is one tap.
 */
export class RepeatWindow {
  readonly #windowMs: number;
  /** When each tag was last read, on the monotonic clock, least recently read first. */
  readonly #lastRead = new Map<string, number>();

  /**
   * @param windowMs Milliseconds, 0..86400000. 0 switches the window off.
   * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
   */
  constructor(windowMs: number) {
    if (!(windowMs >= 0 && windowMs <= REPEAT_WINDOW_MAX_MS)) {
      throw new TallybookError(
        'INVALID_OPTION',
        `the repeat window is 0 to ${REPEAT_WINDOW_MAX_MS} ms; got ${windowMs}`,
      );
    }
    this.#windowMs = windowMs;
  }

  /** Takes note of a reading and says whether it begins a new tap. */
  accepts(reading: Reading): boolean {
    if (this.#windowMs === 0) return true;
    const key = keyOf(reading);
    const lastRead = this.#lastRead.get(key);
    this.#lastRead.delete(key);
    this.#lastRead.set(key, reading.monotonicMs);
    this.#dropExpired(reading.monotonicMs);
    return lastRead === undefined || reading.monotonicMs - lastRead >= this.#windowMs;
  }

  /** Makes the next reading of this tag at this reader a new tap, for a tap that could not be written down. */
  forget(reading: Reading): void {
    this.#lastRead.delete(keyOf(reading));
  }

  #dropExpired(nowMs: number): void {
    for (const [key, lastRead] of this.#lastRead) {
      if (nowMs - lastRead < this.#windowMs) return;
      this.#lastRead.delete(key);
    }
  }
}

function keyOf(reading: Reading): string {
  return `${reading.id} ${reading.reader}`;
}
