const SHORTEST_MS = 100;
const LONGEST_MS = 30_000;

/**
 * How long to wait before a stream is opened again, in milliseconds: what the service asks for, but at least a tenth of
 * a second; twice as long after each failure, up to 30 seconds; and by chance up to half as long again, so that many
 * clients do not come at once.
 *
 * @param failures How many there were since the stream was last open, from 1.
 * @param retryMs What the service asks for.
 * @param random From 0 to 1.
 */
export function retryDelayMs(failures: number, retryMs: number, random: number): number {
  const firstMs = Math.max(retryMs, SHORTEST_MS);
  const delayMs = Math.min(firstMs * 2 ** (failures - 1), Math.max(firstMs, LONGEST_MS));
  return Math.round(delayMs * (1 + random / 2));
}
