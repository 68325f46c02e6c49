import type { Trace } from '../record/ports/erasure-store.js';

/** Counts of the stored data of a tag. */
export interface TraceCounts {
  readonly hasName: boolean;
  /** Days with an entry. */
  readonly days: number;
  /** Single known scans. */
  readonly scans: number;
  /** Provisional scans. */
  readonly provisional: number;
  /** Corrections, including rejected ones. */
  readonly corrections: number;
  /** Changes in the journal. */
  readonly changes: number;
}

export async function countTraces(traces: AsyncIterable<Trace>): Promise<TraceCounts> {
  const counts = { hasName: false, days: 0, scans: 0, provisional: 0, corrections: 0, changes: 0 };
  for await (const trace of traces) {
    if (trace.kind === 'name') counts.hasName = true;
    else if (trace.kind === 'provisional') counts.provisional++;
    else if (trace.kind === 'correction') counts.corrections++;
    else if (trace.kind === 'change') counts.changes++;
    else if (trace.kind === 'entry') {
      counts.days++;
      counts.scans += trace.scans.length;
    }
  }
  return counts;
}
