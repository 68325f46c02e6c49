import { nobodyYet, type Person, type PersonId } from '../values/people/person.js';
import { personNotFound } from './people-errors.js';
import type { PeopleDraft } from './people-draft.js';

/**
 * The person that an id stands for now.
 *
 * @throws {TallybookError} `PERSON_NOT_FOUND`.
 */
export function existingPerson(draft: PeopleDraft, id: PersonId): Person {
  const root = draft.resolve(id);
  if (draft.whole(root)?.name?.value === undefined) throw personNotFound();
  return draft.person(root) ?? nobodyYet(root);
}
