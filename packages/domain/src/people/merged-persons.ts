import { compareTallyIds } from '../values/name.js';
import { mergePersons, type Person, type PersonId } from '../values/people/person.js';

/** Finds the row of one id, whoever it was merged into. */
export type FindPerson = (id: PersonId) => Person | undefined;

/** All ids that are this person, the given one first. */
export function idsOf(find: FindPerson, root: PersonId): readonly PersonId[] {
  const aliases = find(root)?.aliases ?? [];
  return [root, ...aliases.flatMap((alias) => idsOf(find, alias))];
}

/** The fields of a person and of those who were merged into them: the later ones. `undefined` if there is none. */
export function wholePerson(find: FindPerson, root: PersonId): Person | undefined {
  const all = idsOf(find, root).flatMap((id) => find(id) ?? []);
  const [first, ...others] = all.map(fieldsOf);
  if (first === undefined) return undefined;
  const whole = others.reduce((merged, other) => mergePersons(merged, other), first);
  const tags = [...new Set(all.flatMap(({ tags: its }) => its))].sort(compareTallyIds);
  const { guest, ...rest } = whole;
  return {
    ...rest,
    ...(guest && { guest: hasMember(all) ? { ...guest, value: undefined } : guest }),
    ...{ id: root, tags, aliases: find(root)?.aliases ?? [] },
  };
}

/** Guests are erased: a member who was added as a guest, and merged with themselves, is none. */
function hasMember(all: readonly Person[]): boolean {
  return all.some(({ name, guest }) => name?.value !== undefined && guest?.value === undefined);
}

/** A person without the merge and the removal, which are about this id alone. */
function fieldsOf({ alias: _alias, removed: _removed, ...person }: Person): Person {
  return person;
}
