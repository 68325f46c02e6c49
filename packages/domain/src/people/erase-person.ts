import { changePeople, readPeople, type PeopleDraft } from './people-draft.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { PersonId } from '../values/people/person.js';
import { standing, type Timeline, type TimelineEntry } from '../values/people/timeline.js';

const TIMELINES_AT_ONCE = 500;

/**
 * Takes a person, and those who were merged into them, out of all rows. Nobody takes their place in timelines, with the same stamps,
 * so that all places agree. A timeline without another holder goes. Rejects as the store does.
 */
export async function eraseFromRows(people: PeopleStore, id: PersonId): Promise<void> {
  const [ids, held] = await readPeople(people, (draft) => {
    const root = draft.resolve(id);
    return [new Set(draft.group(root)), new Set(draft.whole(root)?.tags)];
  });
  const isGone = (each: PersonId | undefined): boolean => each !== undefined && ids.has(each);
  // First, while their rows are there: an erasure that was interrupted finds the person by these.
  let page = await people.timelines(undefined, TIMELINES_AT_ONCE);
  while (page.length > 0) {
    for (const { tag, entries } of page) {
      if (held.has(tag) || !entries.some(({ after, doubt }) => isGone(after) || isGone(doubt))) continue;
      await changePeople(people, (draft) => draft.putTimeline(withoutHolders(draft.timeline(tag), isGone)));
    }
    page = await people.timelines(page.at(-1)?.tag, TIMELINES_AT_ONCE);
  }
  await changePeople(people, (draft) => erasePerson(draft, id));
}

/** Takes a person out of their rows, and of the timelines of tags that they held. */
function erasePerson(draft: PeopleDraft, id: PersonId): void {
  const root = draft.resolve(id);
  const ids = new Set(draft.group(root));
  for (const tag of draft.whole(root)?.tags ?? []) {
    const left = withoutHolders(draft.timeline(tag), (holder) => ids.has(holder));
    if (standing(left).some(({ holder }) => holder !== undefined)) draft.putTimeline(left);
    else draft.forgetTimeline(tag);
  }
  for (const each of ids) draft.forgetPerson(each);
}

/** A timeline that does not name these persons. */
export function withoutHolders({ tag, entries }: Timeline, isGone: (id: PersonId) => boolean): Timeline {
  const without = ({
    since,
    holder,
    why,
    stamp,
    over,
    after,
    doubt,
    isUndone,
  }: TimelineEntry): TimelineEntry => ({
    since,
    ...(holder !== undefined && isGone(holder) ? { why: 'removed' } : { ...(holder && { holder }), why }),
    ...{ stamp, ...(over && { over }) },
    ...(after !== undefined && !isGone(after) && { after }),
    ...(doubt !== undefined && !isGone(doubt) && { doubt }),
    ...(isUndone && { isUndone }),
  });
  return { tag, entries: entries.map(without) };
}
