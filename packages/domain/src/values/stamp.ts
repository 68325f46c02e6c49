import type { Name } from './name.js';
import type { TallyId } from './tally-id.js';
import { OUTSIDE_TIME_MAX } from './timestamp.js';

/**
 * When and where a value was given or taken away: a hybrid logical clock. All devices agree on the later one of two
 * changes. A change is later than the one it replaced, even if the clock was behind.
 *
 * Stamps are ordered by `ms`, then `counter`, then `node`.
 */
export interface Stamp {
  /** Milliseconds since 1970, whole, 0 to 2^53 - 1. */
  readonly ms: number;
  /** Orders changes of the same millisecond, whole, 0 to 2^53 - 1. */
  readonly counter: number;
  /**
   * Journal of the place of the change: 0 to 64 characters, as `Journal.origin` gives it. Compared by UTF-16 code units.
   * {@link NOWHERE} if `ms` is only the time of arrival at a centre.
   */
  readonly node: string;
}

/** Node of the stamps that a centre gives to arriving changes of an unknown time. No device has this node. */
export const NOWHERE = '';

/**
 * The stamp of names without a stored stamp, such as names from versions without stamps. Every other stamp is later.
 */
export const NO_STAMP: Stamp = Object.freeze({ ms: 0, counter: 0, node: NOWHERE });

/** Largest `ms` and `counter` that are taken from another place: every later stamp is possible from them. */
export const STAMP_MS_MAX: number = OUTSIDE_TIME_MAX * 1_000;
export const STAMP_COUNTER_MAX: number = 2 ** 32;

/** The name of a tag, or its removal, with the stamp of that change. */
export interface StampedName {
  readonly id: TallyId;
  /** `undefined`: the name was taken away. */
  readonly name: Name | undefined;
  /** `undefined`: changed while the time was unknown. The next place that takes the name over gives it a stamp. */
  readonly stamp: Stamp | undefined;
}

/**
 * Negative if the first stamp is earlier, positive if it is later, 0 if they are equal. A missing stamp counts as
 * {@link NO_STAMP}.
 */
export function compareStamps(one: Stamp | undefined, other: Stamp | undefined): number {
  const [a, b] = [one ?? NO_STAMP, other ?? NO_STAMP];
  if (a.ms !== b.ms) return a.ms - b.ms;
  if (a.counter !== b.counter) return a.counter - b.counter;
  if (a.node === b.node) return 0;
  return a.node < b.node ? -1 : 1;
}

/**
 * The stamp of a change now: always later than `before`, the stamp of the replaced name, whatever the clock says; unless
 * `before` is the last one of all, which is taken from no place.
 */
export function nextStamp(
  before: Stamp | undefined,
  { ms, node }: { readonly ms: number; readonly node: string },
): Stamp {
  const fresh = { ms, counter: 0, node };
  if (before === undefined || compareStamps(fresh, before) > 0) return fresh;
  if (before.counter < STAMP_COUNTER_MAX) return { ms: before.ms, counter: before.counter + 1, node };
  return before.ms < Number.MAX_SAFE_INTEGER ? { ms: before.ms + 1, counter: 0, node } : fresh;
}
