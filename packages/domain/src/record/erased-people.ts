import { withoutHolders } from '../people/erase-person.js';
import type { PeopleItem } from '../people/merge-people.js';
import { tagOfImplicit, type Person, type PersonId } from '../values/people/person.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Refusals } from '../ports/record/refusals.js';
import { compareStamps, type Stamp } from '../values/stamp.js';
import { givenAt } from './values/name-stamp.js';

/**
 * What of an item may be merged, since persons were erased: a timeline without them, and no row of theirs. `undefined` if nothing
 * may. A random id is refused as long as the erasure is remembered. An implicit person, whose tag may have been named anew since, is
 * refused as they were up to the erasure.
 */
export function withoutErased<Item extends PeopleItem>(
  item: Item,
  { people, erasures }: { readonly people: PeopleStore; readonly erasures: Refusals },
): Item | undefined {
  const isErased = (id: PersonId, stamp: Stamp | undefined): boolean => {
    const at = tagOfImplicit(id) === undefined ? undefined : givenAt(stamp);
    return erasures.isRefused(people.lastResortOf(id), at);
  };
  return sift(item, isErased, erasures) as Item | undefined;
}

function sift(
  item: PeopleItem,
  isErased: (id: PersonId, stamp: Stamp | undefined) => boolean,
  erasures: Refusals,
): PeopleItem | undefined {
  switch (item.kind) {
    case 'person':
      return isErased(item.person.id, latestOf(item.person)) ? undefined : item;
    case 'name':
      return erasures.isRefused(item.name.id, givenAt(item.name.stamp)) ? undefined : item;
    case 'tag': {
      const { timeline } = item;
      const stamp = timeline.entries
        .map((entry) => entry.stamp)
        .sort(compareStamps)
        .at(-1);
      return { kind: 'tag', timeline: withoutHolders(timeline, (id) => isErased(id, stamp)) };
    }
  }
}

function latestOf({ name, number, from, until }: Person): Stamp | undefined {
  const stamps = [name, number, from, until].flatMap((each) => each?.stamp ?? []);
  return stamps.sort(compareStamps).at(-1);
}
