import type { PeopleStore } from '../ports/people/people-store.js';
import { isReservedTallyId, type TallyId } from '../values/tally-id.js';

/** Those of the tags whose names follow from persons, so that they are not sent or written by themselves. */
export async function tagsOfPersons(
  people: PeopleStore | undefined,
  ids: readonly TallyId[],
): Promise<ReadonlySet<TallyId>> {
  if (people === undefined || ids.length === 0) return new Set();
  const { timelines } = await people.read({ timelines: ids });
  return new Set(ids.filter((id) => isReservedTallyId(id) || timelines.get(id) !== undefined));
}
