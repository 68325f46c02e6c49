import type { TablePerson } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { paths } from '../routing.js';
import { wholeYear, yearOf, type DayRange } from '../state/days.js';
import { PersonName } from './person-name.js';
import { groupedId } from './words.js';

/** The name of a person, as a link to their days: in a range, or in the year of a single day. */
export function PersonLink({
  person: { person, name, ids },
  range,
}: {
  readonly person: Pick<TablePerson, 'person' | 'name' | 'ids'>;
  readonly range: DayRange;
}): VNode {
  const { people } = usePage().session;
  const [id = ''] = ids;
  const wide = range.from === range.to ? wholeYear(yearOf(range.from)) : range;
  const known = people.byId.value.get(person ?? '');
  return (
    <a href={person === null ? paths.tag(id, wide) : paths.person(person, wide)} class="person-link">
      {name === null ? (
        <code class="id">{groupedId(id)}</code>
      ) : (
        <PersonName name={name} mark={known === undefined ? '' : people.markOf(known)} />
      )}
    </a>
  );
}
