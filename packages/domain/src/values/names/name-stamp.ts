import { isSameName, type Name } from './name.js';
import type { TallyId } from '../tally-id.js';
import { DATE_MAX, type Timestamp } from '../timestamp.js';

/**
 * When a name was given or taken away: a hybrid logical clock, so that of two changes the later one is the same everywhere,
 * and a change is later than what it replaced, also on a clock that is behind.
 *
 * Stamps are ordered by `ms`, then `counter`, then `node`.
 */
export interface NameStamp {
  /** Milliseconds since 1970, whole, 0 to 2^53 - 1. */
  readonly ms: number;
  /** Tells apart what happened in one millisecond, whole, 0 to 2^53 - 1. */
  readonly counter: number;
  /**
   * Where it happened: 0 to 64 characters, as `Journal.origin` gives it. Compared by UTF-16 code units. {@link NOWHERE} if `ms` only
   * says when it became known.
   */
  readonly node: string;
}

/**
 * The node of a stamp that was given to a change when it reached a centre, because nobody knew when it was made. No device has it.
 */
export const NOWHERE = '';

/** The stamp of names that nobody stamped, such as those from before there were stamps: every other one is later. */
export const NO_STAMP: NameStamp = Object.freeze({ ms: 0, counter: 0, node: NOWHERE });

/** The name of a tag, or its removal, with the time of that. */
export interface StampedName {
  readonly id: TallyId;
  /** `undefined`: it was taken away. */
  readonly name: Name | undefined;
  /** `undefined`: changed while nobody knew the time. Whoever takes it over next gives it a stamp. */
  readonly stamp: NameStamp | undefined;
}

/**
 * The second in which a name was given or taken away; `undefined` if nobody knows it, because there is no stamp, or only one of
 * the arrival. Such a name goes with every erasure of its tag, since it may be older than the erasure.
 */
export function givenAt(stamp: NameStamp | undefined): Timestamp | undefined {
  return stamp === undefined || stamp.node === NOWHERE
    ? undefined
    : (Math.floor(stamp.ms / 1_000) as Timestamp);
}

/** Negative if the first stamp is earlier, positive if it is later, 0 if they are equal. Without a stamp it counts as {@link NO_STAMP}. */
export function compareStamps(one: NameStamp | undefined, other: NameStamp | undefined): number {
  const [a, b] = [one ?? NO_STAMP, other ?? NO_STAMP];
  if (a.ms !== b.ms) return a.ms - b.ms;
  if (a.counter !== b.counter) return a.counter - b.counter;
  if (a.node === b.node) return 0;
  return a.node < b.node ? -1 : 1;
}

/** Of several names of one tag the latest one; of equal ones the first. */
export function latestNames(names: readonly StampedName[]): Iterable<StampedName> {
  const latest = new Map<TallyId, StampedName>();
  for (const name of names) {
    const known = latest.get(name.id);
    if (known === undefined || compareStamps(name.stamp, known.stamp) > 0) latest.set(name.id, name);
  }
  return latest.values();
}

/**
 * The stamp of a name from a backup. The name was given when the backup was made, or before; yet it has to be later than the
 * one that it replaces here, since somebody wants it back. A name that is here already keeps its own stamp.
 *
 * @param before The present name of the tag, or its removal.
 * @param knownAt When the backup was made; `undefined` if nobody knows. One that is later than the present time counts as that.
 * @returns `undefined` if nobody knows the present time either.
 */
export function restoredStamp(
  name: Name,
  before: Pick<StampedName, 'name' | 'stamp'> | undefined,
  {
    knownAt,
    nowMs,
    node,
  }: { readonly knownAt: Timestamp | undefined; readonly nowMs: number | undefined; readonly node: string },
): NameStamp | undefined {
  const isHere = before !== undefined && isSameName(before.name, name);
  if (isHere && compareStamps(before.stamp, NO_STAMP) > 0) return before.stamp;
  const latestMs = nowMs ?? DATE_MAX * 1_000;
  const ms = knownAt === undefined ? nowMs : Math.min(knownAt * 1_000, latestMs);
  return ms === undefined ? undefined : nextStamp(before?.stamp, { ms, node });
}

/** The stamp of a change now that replaces what has the stamp `before`: later than that, whatever the clock says. */
export function nextStamp(
  before: NameStamp | undefined,
  { ms, node }: { readonly ms: number; readonly node: string },
): NameStamp {
  const fresh = { ms, counter: 0, node };
  if (before === undefined || compareStamps(fresh, before) > 0) return fresh;
  return { ms: before.ms, counter: before.counter + 1, node };
}
