/**
 * Whether events are missing between two that came one after the other.
 *
 * The service numbers its events, `RUN-NUMBER`, anew in each run. Of other cursors nothing is known.
 */
export function isGapBetween(before: string, after: string): boolean {
  const [, runBefore, numberBefore] = CURSOR.exec(before) ?? [];
  const [, runAfter, numberAfter] = CURSOR.exec(after) ?? [];
  if (runBefore === undefined || runAfter === undefined) return false;
  return runBefore !== runAfter || Number(numberAfter) !== Number(numberBefore) + 1;
}

const CURSOR = /^(.+)-(\d+)$/;
