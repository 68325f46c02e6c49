/** When something was sent and when it was acknowledged, in steps of a ledger. */
export interface Span {
  /** 0 if it is not known. */
  readonly sent: number;
  /** Infinity if it was not. */
  readonly acknowledged: number;
}

/**
 * Counts changes that are listed after one which was sent only when they had been acknowledged: they had to come before it.
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
