const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Delay before the next attempt to reach a device: half a second, then twice as long each time, up to 15 seconds. So a
 * cable that is plugged in again is noticed within seconds, and a missing one costs almost nothing.
 *
 * @param attempt From 1, counted since the device was lost or found missing.
 * @returns Milliseconds.
 */
export function retryDelayMs(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
}
