import { standing, type Timeline, type TimelineEntry } from '../../../values/people/timeline.js';
import type { PeopleItem } from '../../../people/merge-people.js';
import type { PeopleStore } from '../../../ports/people/people-store.js';
import { compareStamps } from '../../../values/stamp.js';
import { toTimestamp, type Timestamp } from '../../../values/timestamp.js';
import { mergePeopleItems, toPeopleItem } from '../../items/people-items.js';
import { STAMP_MAX_AHEAD_MS } from '../../values/sync.js';
import { leaveToHolders } from './leave-to-holders.js';
import type { Merging, Of } from './merging.js';

/** Merges persons, timelines, groups and carried rows by their stamps. Those of erased persons are left out: the erasure is sent to the station. */
export async function mergePersons(
  items: readonly (Of<'person'> | Of<'tag'> | Of<'group'> | Of<'carried'>)[],
  { parts: { people, erasures, timekeeper }, refusals }: Merging,
): Promise<void> {
  if (items.length === 0) return;
  if (people === undefined) {
    for (const { cursor } of items) refusals.refusePerson({ cursor });
    return;
  }
  const all = items.map(toPeopleItem);
  // While the clock is not trusted, no time counts as future.
  const now = timekeeper.trust().isTrusted ? timekeeper.now() : undefined;
  const merged = now === undefined ? all : await Promise.all(all.map((each) => notAhead(each, now, people)));
  await mergePeopleItems(merged, { people, erasures, isNoted: true });
  const tags = merged.flatMap((item) => (item.kind === 'tag' ? [item.timeline.tag] : []));
  await leaveToHolders(tags, people, erasures, now ?? NEVER);
}

const NEVER = toTimestamp(Number.MAX_SAFE_INTEGER);

/** A holding of a clock that is ahead begins at its arrival. It says nothing at its own second, so that it moves only once. */
async function notAhead(item: PeopleItem, now: Timestamp, people: PeopleStore): Promise<PeopleItem> {
  const latest = toTimestamp(now + STAMP_MAX_AHEAD_MS / 1_000);
  if (item.kind !== 'tag') return item;
  const { tag, entries } = item.timeline;
  const isAhead = ({ since }: TimelineEntry): boolean => since > latest;
  if (!entries.some(isAhead)) return item;
  const here = (await people.read({ timelines: [tag] })).timelines.get(tag);
  const moved = standing(item.timeline).findLast((entry) => isAhead(entry) && !isMoved(entry, here));
  const past = entries.filter((entry) => !isAhead(entry));
  const silenced = (those: readonly TimelineEntry[]): readonly TimelineEntry[] =>
    those.map(({ since, why, stamp }) => ({ since, why, stamp, isUndone: true }));
  const silent = silenced(entries.filter(isAhead));
  if (moved === undefined) return { kind: 'tag', timeline: { tag, entries: [...past, ...silent] } };
  const { holder, why, stamp, over } = moved;
  const before = past.filter(({ since }) => since < now);
  // Of the same clock, and replaced by the one that is moved before it.
  const replaced = silenced(past.filter(({ since }) => since > now));
  const after = standing({ entries: before }).at(-1)?.holder;
  const arrived: TimelineEntry = {
    ...{ since: now, why, stamp },
    ...(over && { over }),
    ...(holder !== undefined && { holder }),
    ...(after !== undefined && { after }),
  };
  return { kind: 'tag', timeline: { tag, entries: [...before, arrived, ...replaced, ...silent] } };
}

function isMoved({ since, stamp }: TimelineEntry, here: Timeline | undefined): boolean {
  const known = here?.entries.find((entry) => entry.since === since);
  return known?.isUndone === true && compareStamps(known.stamp, stamp) >= 0;
}
