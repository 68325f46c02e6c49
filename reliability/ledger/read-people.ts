import { type PeopleStore, type PersonId, type TallyId } from '@tallybook/domain';
import { personText } from './people-ledger.js';
import type { ShownPeople } from './contents.js';

const LIMIT = 1_000;

/** Persons by their numbers with their groups, and who held each tag since when. */
export async function readPeople(store: PeopleStore): Promise<ShownPeople> {
  const persons = new Map<string, string>();
  const numbers = new Map<PersonId, string>();
  for (let after: PersonId | undefined; ;) {
    const page = await store.persons(after, LIMIT);
    if (page.length === 0) break;
    for (const { id, name, number, memberships = [] } of page) {
      numbers.set(id, number?.value ?? id);
      const groups = memberships.filter(({ until, isUndone }) => until === undefined && isUndone !== true);
      persons.set(
        number?.value ?? id,
        personText(
          name?.value,
          groups.map(({ group }) => group),
        ),
      );
    }
    after = page.at(-1)?.id;
  }
  const timelines = new Map<string, string>();
  for (let after: TallyId | undefined; ;) {
    const page = await store.timelines(after, LIMIT);
    if (page.length === 0) break;
    for (const timeline of page) {
      const counting = timeline.entries.filter(({ isUndone }) => isUndone !== true);
      const entries = counting.map(({ since, holder, why }) => {
        return `${since} ${holder === undefined ? why : numbers.get(holder)}`;
      });
      timelines.set(timeline.tag, entries.join(', '));
    }
    after = page.at(-1)?.tag;
  }
  return { persons, timelines };
}
