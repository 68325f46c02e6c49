import { compareStamps, nextStamp, NO_STAMP, NOWHERE, type StampedName } from '../../../values/stamp.js';
import { STAMP_MAX_AHEAD_MS, type NameItem } from '../../values/sync.js';
import { isSameName } from '../../../values/name.js';
import type { TallyId } from '../../../values/tally-id.js';
import { tagsOfPersons } from '../../../people/tags-of-persons.js';
import { mergePeopleItems, toPeopleName } from '../../items/people-items.js';
import { isNameErased, toNameItem, toStampedName } from '../../items/name-items.js';
import type { MergeDependencies, Merging, Of } from './merging.js';

type Time = MergeDependencies['timekeeper'];

/** @returns The names that these tags have here instead of the sent ones. */
export async function mergeNames(
  items: readonly Of<'name'>[],
  merging: Merging,
): Promise<readonly NameItem[]> {
  const { stamped, people, erasures, timekeeper } = merging.parts;
  const { acknowledged, notes } = merging.terms;
  if (items.length === 0) return [];
  const here = new Map((await stamped.get(items.map(({ id }) => id))).map((each) => [each.id, each]));
  const ofPersons = await tagsOfPersons(
    people,
    items.map(({ id }) => id),
  );
  // From here to the merge in the same turn: an erasure that begins later finds the names in the store.
  const incoming: StampedName[] = [];
  const others: StampedName[] = [];
  for (const item of items) {
    const before = here.get(item.id);
    if (!isWelcome(item, merging)) others.push(before ?? nameless(item.id));
    else if (!needsStamp(item, timekeeper)) incoming.push(toStampedName(item));
    // A name that was stamped on its arrival must not be stamped again when it comes again: the name here may be newer.
    else if (item.cursor <= acknowledged && before !== undefined) others.push(before);
    else incoming.push({ ...toStampedName(item), stamp: stampNow(item, before, timekeeper) });
  }
  const names = incoming.filter(({ id }) => !ofPersons.has(id));
  const theirs = incoming.filter(({ id }) => ofPersons.has(id));
  const [stayed] = await Promise.all([
    names.length === 0 ? [] : stamped.merge(names),
    people && mergePeopleItems(theirs.map(toPeopleName), { people, erasures, isNoted: true }),
  ]);
  const changed = incoming.filter((name) => isOther(name, here.get(name.id)));
  await notes.note({ names: changed.length });
  return [...stayed, ...others].map(toNameItem);
}

/**
 * Whether a name may be taken: it is certainly from after any erasure of its person. A stamp by a wrong clock proves
 * nothing.
 */
function isWelcome(item: Of<'name'>, { parts: { erasures, timekeeper }, refusals }: Merging): boolean {
  const stamp = needsStamp(item, timekeeper) ? null : item.stamp;
  if (!isNameErased({ id: item.id, stamp }, erasures)) return true;
  // A removed name holds no personal data.
  if (item.name !== null) refusals.refuseErased(item, item.id);
  return false;
}

/** Whether the time of the change was unknown or wrong. */
function needsStamp({ stamp }: NameItem, timekeeper: Time): boolean {
  if (stamp === null) return true;
  return timekeeper.trust().isTrusted && stamp.ms > timekeeper.now() * 1_000 + STAMP_MAX_AHEAD_MS;
}

function stampNow(
  { stamp }: NameItem,
  before: StampedName | undefined,
  timekeeper: Time,
): StampedName['stamp'] {
  const ms = timekeeper.now() * 1_000;
  // A change of unknown time becomes later than the name here. A change by a clock that was ahead only gets the present
  // time.
  if (stamp !== null) return { ms, counter: 0, node: NOWHERE };
  return nextStamp(before?.stamp, { ms, node: NOWHERE });
}

/** Whether a merged name has replaced another one. */
function isOther({ name, stamp }: StampedName, before: StampedName | undefined): boolean {
  if (before !== undefined && compareStamps(stamp, before.stamp) <= 0) return false;
  return !isSameName(name, before?.name);
}

/** Stands for a tag that has no stored name, not even a removed one. */
function nameless(id: TallyId): StampedName {
  return { id, name: undefined, stamp: NO_STAMP };
}
