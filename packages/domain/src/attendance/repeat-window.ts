import { requireOption } from '../errors.js';
import type { Reading } from '../values/record/reading.js';

/** Longest repeat window: one day in milliseconds. */
export const REPEAT_WINDOW_MAX_MS = 86_400_000;

/** The repeat window when none is set, in milliseconds. */
export const REPEAT_WINDOW_DEFAULT_MS = 2_000;

/** Milliseconds after a failed write: from then on, a tag that rests on the reader counts as a new tap. */
const RETRY_MS = 1_000;

interface LastReading {
  readonly atMs: number;
  /** A reading from this time on is a new tap, even within the window. */
  retryAtMs: number;
}

/** Latest readings whose times come from one kind of clock. */
interface LatestReadings {
  /** By tag and reader, least recently read first. */
  readonly byTag: Map<string, LastReading>;
  /** No reading expires before this time. */
  expiryMs: number;
}

/**
 * Distinguishes a new tap from a tag that still rests on the reader.
 *
 * A reading repeats the tap before it when the same tag was read by the same reader less than `windowMs` ago. A late reading,
 * with an earlier time than the last one, is a new tap if it is at least `windowMs` earlier. The window slides: each repeated
 * reading extends it, so a tag that rests for an hour is one tap.
 */
export class RepeatWindow {
  readonly #windowMs: number;
  /** The latest readings with times of the monotonic clock. */
  readonly #last: LatestReadings = { byTag: new Map(), expiryMs: 0 };
  /** The latest readings with times of devices' own clocks. */
  readonly #ownLast: LatestReadings = { byTag: new Map(), expiryMs: 0 };

  /**
   * @param windowMs Milliseconds, 0..86400000. 0 switches the window off.
   * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
   */
  constructor(windowMs: number) {
    this.#windowMs = requireOption('repeatWindowMs', windowMs, 0, REPEAT_WINDOW_MAX_MS);
  }

  /** Records a reading and says whether it begins a new tap. */
  accepts(reading: Reading): boolean {
    if (this.#windowMs === 0) return true;
    const key = keyOf(reading);
    const latest = this.#lastOf(reading);
    const last = latest.byTag.get(key);
    const atMs = msOf(reading);
    const isTap =
      last === undefined || Math.abs(atMs - last.atMs) >= this.#windowMs || atMs >= last.retryAtMs;
    latest.byTag.delete(key);
    latest.byTag.set(key, { atMs, retryAtMs: isTap ? Infinity : last.retryAtMs });
    this.#dropExpired(latest, atMs);
    return isTap;
  }

  /**
   * Call it when a reading could not be written. From one second later, the same tag at the same reader is a new tap.
   * Sooner would retry a tag that rests on the reader with every reading.
   */
  allowRetry(reading: Reading): void {
    const last = this.#lastOf(reading).byTag.get(keyOf(reading));
    if (last !== undefined) last.retryAtMs = msOf(reading) + RETRY_MS;
  }

  #lastOf({ hasOwnTime }: Reading): LatestReadings {
    return hasOwnTime === true ? this.#ownLast : this.#last;
  }

  #dropExpired(latest: LatestReadings, nowMs: number): void {
    if (nowMs < latest.expiryMs) return;
    for (const [key, { atMs }] of latest.byTag) {
      latest.expiryMs = atMs + this.#windowMs;
      if (nowMs < latest.expiryMs) return;
      latest.byTag.delete(key);
    }
  }
}

function keyOf(reading: Reading): string {
  return `${reading.id} ${reading.reader}`;
}

function msOf({ hasOwnTime, at, monotonicMs }: Reading): number {
  return hasOwnTime === true ? at * 1000 : monotonicMs;
}
