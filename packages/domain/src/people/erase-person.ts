import { changePeople, readPeople } from './change-people.js';
import type { PeopleDraft } from './people-draft.js';
import { timelinePages } from './people-pages.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Person, PersonId } from '../values/people/person.js';
import { standing, type Timeline, type TimelineEntry } from '../values/people/timeline.js';

/**
 * Takes the id of a person out of all rows. Nobody takes their place in timelines, with the same stamps, so that all places agree. A
 * timeline without another holder goes. Who was merged into them is a person of their own: an erasure names each id that it takes.
 */
export async function eraseFromRows(people: PeopleStore, id: PersonId): Promise<void> {
  const held = new Set(await readPeople(people, (draft) => draft.person(id)?.tags));
  const isGone = (each: PersonId | undefined): boolean => each === id;
  // First, while their row is there: an erasure that was interrupted finds the person by it.
  for await (const page of timelinePages(people))
    for (const { tag, entries } of page) {
      if (held.has(tag) || !entries.some(({ after, doubt }) => isGone(after) || isGone(doubt))) continue;
      await changePeople(people, (draft) => draft.putTimeline(withoutHolders(draft.timeline(tag), isGone)));
    }
  await changePeople(people, (draft) => erasePerson(draft, id));
}

/** Takes a person out of their row, of those of who was merged into them, and of the timelines of tags that they held. */
function erasePerson(draft: PeopleDraft, id: PersonId): void {
  const person = draft.person(id);
  for (const tag of person?.tags ?? []) {
    const left = withoutHolders(draft.timeline(tag), (holder) => holder === id);
    if (standing(left).some(({ holder }) => holder !== undefined)) draft.putTimeline(left);
    else draft.forgetTimeline(tag);
  }
  for (const other of person?.aliases ?? []) {
    const merged = draft.person(other);
    if (merged !== undefined) draft.putPerson(withoutAlias(merged));
  }
  draft.forgetPerson(id);
}

/** A person who was merged into nobody, as if nobody had ever done that. */
export function withoutAlias(person: Person): Person {
  const { alias: _, ...rest } = person;
  return rest;
}

/** A timeline that does not name these persons. */
export function withoutHolders({ tag, entries }: Timeline, isGone: (id: PersonId) => boolean): Timeline {
  const without = ({ holder, why, after, doubt, ...rest }: TimelineEntry): TimelineEntry => ({
    ...rest,
    ...(holder !== undefined && isGone(holder) ? { why: 'removed' } : { ...(holder && { holder }), why }),
    ...(after !== undefined && !isGone(after) && { after }),
    ...(doubt !== undefined && !isGone(doubt) && { doubt }),
  });
  return { tag, entries: entries.map(without) };
}
