const SHORTEST_MS = 100;
const LONGEST_MS = 30_000;

/**
 * Milliseconds to wait before a stream is opened again: at first as many as the service asks for, but at least 100;
 * twice as many after each further failure, up to 30,000; plus a random part of up to one half, so that many clients do
 * not come at once.
 *
 * @param failures Number of failures since the stream was last open, from 1.
 * @param retryMs Milliseconds that the service asks for.
 * @param random From 0 to 1.
 */
export function retryDelayMs(failures: number, retryMs: number, random: number): number {
  const firstMs = Math.max(retryMs, SHORTEST_MS);
  const delayMs = Math.min(firstMs * 2 ** (failures - 1), Math.max(firstMs, LONGEST_MS));
  return Math.round(delayMs * (1 + random / 2));
}
