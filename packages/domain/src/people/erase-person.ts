import type { PeopleDraft } from './people-draft.js';
import type { PersonId } from '../values/people/person.js';
import { standing, type Timeline, type TimelineEntry } from '../values/people/timeline.js';

/**
 * Takes a person, and those who were merged into them, out of all rows. Nobody takes their place in timelines, with the same stamps,
 * so that all places agree. A timeline without another holder goes.
 */
export function erasePerson(draft: PeopleDraft, id: PersonId): void {
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
