import type { Person, PersonId } from '../values/people/person.js';
import { presentEntry } from '../values/people/timeline.js';
import { compareStamps, type Stamp } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import type { Moment } from './moment.js';
import type { PeopleDraft } from './people-draft.js';
import { putEntry } from './tag-entries.js';

/** See `PeopleService.remove`. */
export function removePerson(draft: PeopleDraft, moment: Moment, id: PersonId): boolean {
  const root = draft.resolve(id);
  if (draft.whole(root)?.name?.value === undefined) return false;
  for (const tag of draft.heldBy(root)) vacate(draft, moment, tag);
  for (const each of draft.idsOf(root)) {
    const one = draft.person(each);
    if (one !== undefined) draft.putPerson(removed(one, moment));
  }
  return true;
}

/** Nobody takes the place of the present holder. */
export function vacate(draft: PeopleDraft, moment: Moment, tag: TallyId): void {
  const since = presentEntry(draft.timeline(tag))?.since;
  if (since !== undefined) putEntry(draft, moment, { tag, since, why: 'removed' });
}

/** A person without all that was known of them. */
export function removed(person: Person, moment: Moment): Person {
  const { id, isUntagged, tags, aliases } = person;
  return {
    ...{ id, ...(isUntagged && { isUntagged }), tags, aliases },
    removed: moment.stampAfter(latestOf(person)),
  };
}

/** The latest stamp of a person's values. */
function latestOf(person: Person): Stamp | undefined {
  const { memberships = [], removed } = person;
  const ends = [person.from, person.until, person.guest];
  const values = [person.name, person.number, ...ends, person.alias, ...memberships];
  const stamps = values.flatMap((each) => each?.stamp ?? []);
  return [...stamps, ...(removed ? [removed] : [])].sort(compareStamps).at(-1);
}
