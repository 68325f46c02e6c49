import { isSameName, type Name } from '../../values/name.js';
import {
  compareStamps,
  NO_STAMP,
  nextStamp,
  NOWHERE,
  STAMP_MS_MAX,
  type Stamp,
  type StampedName,
} from '../../values/stamp.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';

/**
 * The second in which a name was given or taken away; `undefined` if it is unknown, because there is no stamp, or only the
 * stamp of the arrival. Every erasure of the tag removes such a name, since the name may be older than the erasure.
 */
export function givenAt(stamp: Stamp | undefined): Timestamp | undefined {
  return stamp === undefined || stamp.node === NOWHERE
    ? undefined
    : (Math.floor(stamp.ms / 1_000) as Timestamp);
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
): Stamp | undefined {
  const isHere = before !== undefined && isSameName(before.name, name);
  if (isHere && compareStamps(before.stamp, NO_STAMP) > 0) return before.stamp;
  const latestMs = nowMs ?? STAMP_MS_MAX;
  const ms = knownAt === undefined ? nowMs : Math.min(knownAt * 1_000, latestMs);
  return ms === undefined ? undefined : nextStamp(before?.stamp, { ms, node });
}
