/** When something was sent and when it was acknowledged, in steps of a ledger. */
export interface Span {
  /** 0 if nobody knows. */
  readonly sent: number;
  /** Infinity if it was not. */
  readonly acknowledged: number;
}

/**
 * How many stand before something that had been acknowledged when they were sent: what was seen must come first.
 *
 * @param spans As they are listed.
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
