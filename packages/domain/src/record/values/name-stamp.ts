import { isSameName, type Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import { OUTSIDE_TIME_MAX, type Timestamp } from '../../values/timestamp.js';

/**
 * When and where a name was given or taken away: a hybrid logical clock. All devices agree on the later one of two
 * changes. A change is later than the one it replaced, even if the clock was behind.
 *
 * Stamps are ordered by `ms`, then `counter`, then `node`.
 */
export interface NameStamp {
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
export const NO_STAMP: NameStamp = Object.freeze({ ms: 0, counter: 0, node: NOWHERE });

/** Largest `ms` and `counter` that are taken from another place: every later stamp is possible from them. */
export const STAMP_MS_MAX: number = OUTSIDE_TIME_MAX * 1_000;
export const STAMP_COUNTER_MAX: number = 2 ** 32;

/** The name of a tag, or its removal, with the stamp of that change. */
export interface StampedName {
  readonly id: TallyId;
  /** `undefined`: the name was taken away. */
  readonly name: Name | undefined;
  /** `undefined`: changed while the time was unknown. The next place that takes the name over gives it a stamp. */
  readonly stamp: NameStamp | undefined;
}

/**
 * The second in which a name was given or taken away; `undefined` if it is unknown, because there is no stamp, or only the
 * stamp of the arrival. Every erasure of the tag removes such a name, since the name may be older than the erasure.
 */
export function givenAt(stamp: NameStamp | undefined): Timestamp | undefined {
  return stamp === undefined || stamp.node === NOWHERE
    ? undefined
    : (Math.floor(stamp.ms / 1_000) as Timestamp);
}

/**
 * Negative if the first stamp is earlier, positive if it is later, 0 if they are equal. A missing stamp counts as
 * {@link NO_STAMP}.
 */
export function compareStamps(one: NameStamp | undefined, other: NameStamp | undefined): number {
  const [a, b] = [one ?? NO_STAMP, other ?? NO_STAMP];
  if (a.ms !== b.ms) return a.ms - b.ms;
  if (a.counter !== b.counter) return a.counter - b.counter;
  if (a.node === b.node) return 0;
  return a.node < b.node ? -1 : 1;
}

/** The latest name of each tag; of names with equal stamps, the first. */
export function latestNames(names: readonly StampedName[]): Iterable<StampedName> {
  const latest = new Map<TallyId, StampedName>();
  for (const name of names) {
    const known = latest.get(name.id);
    if (known === undefined || compareStamps(name.stamp, known.stamp) > 0) latest.set(name.id, name);
  }
  return latest.values();
}

/**
 * The stamp of a name from a backup. The name was given before the backup was made. But the stamp must be later than that of
 * the name it replaces here, since somebody wants the restored name. A name that is here already keeps its own stamp.
 *
 * @param before The present name of the tag, or its removal.
 * @param knownAt When the backup was made; `undefined` if unknown. A time after the present time counts as the present time.
 * @returns `undefined` if the present time is unknown too.
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
  const latestMs = nowMs ?? STAMP_MS_MAX;
  const ms = knownAt === undefined ? nowMs : Math.min(knownAt * 1_000, latestMs);
  return ms === undefined ? undefined : nextStamp(before?.stamp, { ms, node });
}

/**
 * The stamp of a change now: always later than `before`, the stamp of the replaced name, whatever the clock says; unless
 * `before` is the last one of all, which is taken from no place.
 */
export function nextStamp(
  before: NameStamp | undefined,
  { ms, node }: { readonly ms: number; readonly node: string },
): NameStamp {
  const fresh = { ms, counter: 0, node };
  if (before === undefined || compareStamps(fresh, before) > 0) return fresh;
  if (before.counter < STAMP_COUNTER_MAX) return { ms: before.ms, counter: before.counter + 1, node };
  return before.ms < Number.MAX_SAFE_INTEGER ? { ms: before.ms + 1, counter: 0, node } : fresh;
}
