import {
  placeLeftScans,
  type Placement,
  type Present,
  type ProvisionalScan,
} from '../values/record/provisional.js';
import type { Timestamp } from '../values/timestamp.js';

/** Finds scans of other servers that wait for so long that their servers will not file them any more. */
export class LeftScans {
  readonly #leaveMs: number;
  /** Monotonic time at which each scan was first seen, by sequence. */
  #seenMs: ReadonlyMap<number, number> = new Map();

  /** @param leaveMs How long a scan is left to its server, in milliseconds. */
  constructor(leaveMs: number) {
    this.#leaveMs = leaveMs;
  }

  /**
   * Estimates the times of the scans that their servers have left.
   *
   * @param scans The waiting scans of other servers, ascending by sequence.
   */
  place(scans: readonly ProvisionalScan[], { now, builtAt, monotonicMs: nowMs }: Present): Placement[] {
    const seenMs = new Map(scans.map(({ sequence }) => [sequence, this.#seenMs.get(sequence) ?? nowMs]));
    this.#seenMs = seenMs;
    const left = scans.filter(({ sequence }) => nowMs - (seenMs.get(sequence) ?? nowMs) >= this.#leaveMs);
    return [...new Set(left.map(({ bootId }) => bootId))].flatMap((run) => {
      const its = left.filter(({ bootId }) => bootId === run);
      const lastMs = seenMs.get(its.at(-1)?.sequence ?? 0) ?? nowMs;
      const seenAt = Math.max(Math.floor(now - (nowMs - lastMs) / 1000), 0) as Timestamp;
      return placeLeftScans(its, seenAt, builtAt);
    });
  }
}
