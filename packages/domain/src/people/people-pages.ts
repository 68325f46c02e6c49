import type { PeopleStore } from '../ports/people/people-store.js';
import { carriedKeyOf, type CarriedRow } from '../values/people/carried-row.js';
import type { Person, PersonId } from '../values/people/person.js';
import type { Timeline } from '../values/people/timeline.js';

const ROWS_OF_PAGE = 500;

/** All persons with a row, or those after an id. Each page is read when it is asked for. */
export async function* personPages(
  people: Pick<PeopleStore, 'persons'>,
  after?: PersonId,
): AsyncGenerator<readonly Person[], void, undefined> {
  let page = await people.persons(after, ROWS_OF_PAGE);
  while (page.length > 0) {
    yield page;
    page = await people.persons(page.at(-1)?.id, ROWS_OF_PAGE);
  }
}

/** All timelines with a row. Each page is read when it is asked for. */
export async function* timelinePages(
  people: Pick<PeopleStore, 'timelines'>,
): AsyncGenerator<readonly Timeline[], void, undefined> {
  let page = await people.timelines(undefined, ROWS_OF_PAGE);
  while (page.length > 0) {
    yield page;
    page = await people.timelines(page.at(-1)?.tag, ROWS_OF_PAGE);
  }
}

/** All carried rows. Each page is read when it is asked for. */
export async function* carriedPages(
  people: Pick<PeopleStore, 'carried'>,
): AsyncGenerator<readonly CarriedRow[], void, undefined> {
  let page = await people.carried(undefined, ROWS_OF_PAGE);
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    page = await people.carried(last && carriedKeyOf(last), ROWS_OF_PAGE);
  }
}
