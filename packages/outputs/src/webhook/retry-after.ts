const SECONDS = /^\d{1,9}$/;
const HOUR_MS = 3_600_000;

/**
 * Reads `Retry-After`: seconds, or a date of HTTP.
 *
 * @param nowS The present time in seconds since 1970, for a date.
 * @returns Milliseconds, 0..3600000; `undefined` if it is absent or neither.
 */
export function parseRetryAfter(value: string | undefined, nowS: number): number | undefined {
  const text = value?.trim() ?? '';
  const delayMs = SECONDS.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowS * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), HOUR_MS);
}
