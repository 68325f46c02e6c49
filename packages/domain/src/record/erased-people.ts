import { withoutAlias, withoutHolders } from '../people/erase-person.js';
import type { PeopleItem } from '../people/merge-people.js';
import { tagOfImplicit, withMemberships, type Person, type PersonId } from '../values/people/person.js';
import type { CarriedRow } from '../values/people/carried-row.js';
import { standing, type Timeline } from '../values/people/timeline.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Refusals } from '../ports/record/refusals.js';
import { BEGINNING, type Timestamp } from '../values/timestamp.js';
import { givenAt } from './values/name-stamp.js';

/** What says which persons were erased. */
export interface ErasedPeople {
  readonly people: Pick<PeopleStore, 'lastResortOf'>;
  readonly erasures: Pick<Refusals, 'isRefused'>;
}

/**
 * What of an item may be merged, since persons were erased: a timeline without them, and no row of theirs. `undefined` if nothing
 * may. A random id is refused as long as the erasure is remembered. An implicit person, whose tag may have been named anew since, is
 * refused as they were up to the erasure.
 *
 * @param isNamed Whether a person has a name here. Default: none has.
 */
export function withoutErased(
  item: PeopleItem,
  erased: ErasedPeople,
  isNamed: (id: PersonId) => boolean = () => false,
): PeopleItem | undefined {
  switch (item.kind) {
    case 'person': {
      const person = personAfterErasures(item.person, erased);
      return person && { kind: 'person', person: withoutErasedAlias(person, erased, isNamed) };
    }
    case 'name': {
      const { id, stamp } = item.name;
      return erased.erasures.isRefused(id, givenAt(stamp)) ? undefined : item;
    }
    case 'group':
      return item;
    case 'carried':
      return isCarriedErased(item.row, erased) ? undefined : item;
    case 'tag': {
      const timeline = timelineAfterErasures(item.timeline, erased, isNamed);
      return timeline && { kind: 'tag', timeline };
    }
  }
}

/** A person without what was known of them up to an erasure; `undefined` if nothing is left. */
export function personAfterErasures(person: Person, erased: ErasedPeople): Person | undefined {
  const { id, name, number, from, until, guest, memberships = [], ...rest } = person;
  const fields = Object.entries({ name, number, from, until, guest }).filter(
    ([, value]) => value !== undefined,
  );
  const left = fields.filter(([, value]) => !isErased(id, givenAt(value?.stamp), erased));
  const its = memberships.filter(({ stamp }) => !isErased(id, givenAt(stamp), erased));
  if (left.length + its.length === 0 && isErased(id, undefined, erased)) return undefined;
  if (left.length === fields.length && its.length === memberships.length) return person;
  return { ...rest, id, ...Object.fromEntries(left), ...withMemberships(its) };
}

/** Whether a carried row is about somebody who was erased after it was written. What of it is theirs is not known: all of it goes. */
export function isCarriedErased({ stamp, persons, tags }: CarriedRow, erased: ErasedPeople): boolean {
  const at = givenAt(stamp);
  return (
    persons.some((id) => isErased(id, at, erased)) || tags.some((tag) => erased.erasures.isRefused(tag, at))
  );
}

/** Who was merged into an erased person where that was not known yet is a person of their own. */
function withoutErasedAlias(
  person: Person,
  erased: ErasedPeople,
  isNamed: (id: PersonId) => boolean,
): Person {
  const root = person.alias?.value;
  return root !== undefined && isGone(root, erased, isNamed) ? withoutAlias(person) : person;
}

/** Whether a person is erased, and nobody has their id since: who was named anew is somebody else. */
function isGone(id: PersonId, erased: ErasedPeople, isNamed: (id: PersonId) => boolean): boolean {
  return isErased(id, undefined, erased) && !(tagOfImplicit(id) !== undefined && isNamed(id));
}

function timelineAfterErasures(
  timeline: Timeline,
  erased: ErasedPeople,
  isNamed: (id: PersonId) => boolean,
): Timeline | undefined {
  const isErasedHolder = (id: PersonId): boolean => isGone(id, erased, isNamed);
  const left = withoutHolders(timeline, isErasedHolder);
  const holders = standing(timeline).flatMap(({ holder }) => holder ?? []);
  return holders.length > 0 && holders.every(isErasedHolder) ? undefined : left;
}

/** Whether what a person was at a moment is erased; at an unknown moment: whether they are at all. */
function isErased(id: PersonId, at: Timestamp | undefined, { people, erasures }: ErasedPeople): boolean {
  const tag = tagOfImplicit(id);
  if (tag === undefined) return erasures.isRefused(people.lastResortOf(id), undefined);
  // Somebody without rows was erased with their tag, from the beginning on.
  const isTagErased = erasures.isRefused(tag, BEGINNING) && erasures.isRefused(tag, at);
  return isTagErased || erasures.isRefused(people.lastResortOf(id), at);
}
