import { noPeopleRows, type PeopleStore } from '../ports/people/people-store.js';
import { isSameName } from '../values/name.js';
import { implicitPerson, tagOfImplicit, type PersonId } from '../values/people/person.js';
import type { StampedName } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import type { ChangedPerson } from './changed-person.js';

/**
 * Writes changes that are names of tags alone, all or none, and resolves with the ids of the persons. Resolves with `undefined`, and
 * writes nothing, if there is more to one of them. A long list costs a fraction of what a draft of all its persons would.
 */
export async function nameTagsAlone(
  people: PeopleStore,
  changes: readonly ChangedPerson[],
): Promise<readonly PersonId[] | undefined> {
  const tags = changes.map(tagOfName);
  if (!tags.every((tag) => tag !== undefined)) return undefined;
  const seen = await people.read({ timelines: tags, names: tags });
  const names = new Map<TallyId, StampedName>();
  for (const [index, tag] of tags.entries()) {
    const { seen: person, fields } = changes[index] ?? { fields: {} };
    const before = seen.names.get(tag);
    if (seen.timelines.get(tag) !== undefined || !isSameName(before?.name, person?.name)) return undefined;
    names.set(tag, { id: tag, name: fields.name, stamp: people.stampAfter(before?.stamp) });
  }
  return (await people.write({ ...noPeopleRows, names }, seen)) ? tags.map(implicitPerson) : undefined;
}

/** The tag of a change that names it, and says nothing else. */
function tagOfName({ seen, fields, gets, loses }: ChangedPerson): TallyId | undefined {
  const { name, ...others } = fields;
  if (name === undefined || Object.keys(others).length + loses.length > 0) return undefined;
  if (seen !== undefined) return gets.length === 0 ? tagOfImplicit(seen.id) : undefined;
  const [first, ...further] = gets;
  return first?.from === undefined && further.length === 0 ? first?.tag : undefined;
}
