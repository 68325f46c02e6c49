/** Times of sending and of acknowledgement of a change, in steps of a ledger. */
export interface Span {
  /** 0 if unknown. */
  readonly sent: number;
  /** Infinity if it was not acknowledged. */
  readonly acknowledged: number;
}

/**
 * Counts changes in the wrong order: they were acknowledged before another change was sent, but are listed after it.
 *
 * @param spans In the order of the list.
 */
export function countReversed(spans: readonly Span[]): number {
  let latestSent = 0;
  let reversed = 0;
  for (const { sent, acknowledged } of spans) {
    if (acknowledged < latestSent) reversed++;
    latestSent = Math.max(latestSent, sent);
  }
  return reversed;
}
