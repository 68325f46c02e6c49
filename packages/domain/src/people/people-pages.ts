import type { PeopleStore } from '../ports/people/people-store.js';
import { carriedKeyOf, type CarriedKey, type CarriedRow } from '../values/people/carried-row.js';
import type { Person, PersonId } from '../values/people/person.js';
import type { Timeline } from '../values/people/timeline.js';
import type { TallyId } from '../values/tally-id.js';
import type { PeopleRow } from './merge-people.js';

const ROWS_OF_PAGE = 500;

/** All rows of a store that gives them a page at a time, or those after a key. Each page is read when it is asked for. */
export async function* pagesOf<Row, Key>(
  read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  start?: Key,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (let after = start; ;) {
    const page = await read(after, ROWS_OF_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = keyOf(last);
  }
}

/** All persons with a row, or those after an id. */
export function personPages(
  people: Pick<PeopleStore, 'persons'>,
  start?: PersonId,
): AsyncGenerator<readonly Person[], void, undefined> {
  return pagesOf(
    (after, limit) => people.persons(after, limit),
    ({ id }) => id,
    start,
  );
}

/** All timelines with a row. */
export function timelinePages(
  people: Pick<PeopleStore, 'timelines'>,
): AsyncGenerator<readonly Timeline[], void, undefined> {
  return pagesOf(
    (after: TallyId | undefined, limit) => people.timelines(after, limit),
    ({ tag }) => tag,
  );
}

/** All carried rows. */
export function carriedPages(
  people: Pick<PeopleStore, 'carried'>,
): AsyncGenerator<readonly CarriedRow[], void, undefined> {
  return pagesOf((after: CarriedKey | undefined, limit) => people.carried(after, limit), carriedKeyOf);
}

/** All groups, persons, timelines and carried rows. */
export async function* peopleRowPages(
  people: Pick<PeopleStore, 'groups' | 'persons' | 'timelines' | 'carried'>,
): AsyncGenerator<readonly PeopleRow[], void, undefined> {
  yield (await people.groups()).map((group) => ({ kind: 'group', group }));
  for await (const page of personPages(people)) yield page.map((person) => ({ kind: 'person', person }));
  for await (const page of timelinePages(people)) yield page.map((timeline) => ({ kind: 'tag', timeline }));
  for await (const page of carriedPages(people)) yield page.map((row) => ({ kind: 'carried', row }));
}
