/**
 * Milliseconds before an attempt: `firstMs` before the first one, then twice as long each time, up to `mostMs`.
 *
 * @param attempt From 1.
 */
export function backOffMs(attempt: number, firstMs: number, mostMs: number): number {
  return Math.min(firstMs * 2 ** (attempt - 1), mostMs);
}
