import type { Refusals } from '../ports/record/refusals.js';
import type { Day } from '../values/day.js';
import type { Timestamp } from '../values/timestamp.js';

/** How long guests are kept. Their erasure is not remembered for long, so what comes of them later is refused by its day. */
export interface GuestLimit {
  /** Guests whose last day is before this one are erased. */
  readonly firstKept: Day;
  /** Whether a second is before that day. */
  isPast(at: Timestamp): boolean;
}

/** Gives the present limit; `undefined` if guests are kept for ever, or while the clock is not trusted. */
export type FindGuestLimit = () => GuestLimit | undefined;

/** Refuses what one of both refuses. */
export function eitherOf(store: Refusals, other: Refusals): Refusals {
  return { isRefused: (id, at) => store.isRefused(id, at) || other.isRefused(id, at) };
}
