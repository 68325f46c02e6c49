import { changePeople } from '../people/change-people.js';
import { eraseFromRows } from '../people/erase-person.js';
import { carriedPages, personPages } from '../people/people-pages.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import { carriedKeyOf } from '../values/people/carried-row.js';
import { implicitPerson, type PersonId } from '../values/people/person.js';
import type { TallyId } from '../values/tally-id.js';
import { isCarriedErased, personAfterErasures, type ErasedPeople } from './erased-people.js';

type Erasures = ErasedPeople['erasures'];

/** Erases the rows of these persons, and of those whom the first names of these tags made. */
export async function erasePersons(
  people: PeopleStore,
  { persons, tags }: { readonly persons: readonly PersonId[]; readonly tags: readonly TallyId[] },
): Promise<void> {
  for (const person of persons) await eraseFromRows(people, person);
  const asked = tags.map((tag) => implicitPerson(tag));
  const rows = await people.read({ persons: asked });
  for (const id of asked) if (rows.persons.get(id) !== undefined) await eraseFromRows(people, id);
}

/** Erases the rows of persons as far as they, or all of their tags, are erased. */
export async function eraseErasedPersons(people: PeopleStore, erasures: Erasures): Promise<void> {
  for await (const page of personPages(people))
    for (const person of page) {
      const left = personAfterErasures(person, { people, erasures });
      if (left === person) continue;
      if (left?.name?.value === undefined) await eraseFromRows(people, person.id);
      else await eraseFields(people, person.id, erasures);
    }
}

/** Of the row as it is then: somebody may have changed it since it was read. */
function eraseFields(people: PeopleStore, id: PersonId, erasures: Erasures): Promise<void> {
  return changePeople(people, (draft) => {
    const person = draft.person(id);
    const left = person && personAfterErasures(person, { people, erasures });
    if (left !== undefined) draft.putPerson(left);
  });
}

/** Erases the carried rows that are about erased persons or tags. */
export async function eraseCarriedRows(people: PeopleStore, erasures: Erasures): Promise<void> {
  for await (const page of carriedPages(people)) {
    const erased = page.filter((row) => isCarriedErased(row, { people, erasures })).map(carriedKeyOf);
    if (erased.length === 0) continue;
    // Of the rows as they are then: somebody may have changed one since it was read.
    await changePeople(people, (draft) => {
      for (const key of erased) {
        const row = draft.carried(key);
        if (row !== undefined && isCarriedErased(row, { people, erasures })) draft.forgetCarried(key);
      }
    });
  }
}
