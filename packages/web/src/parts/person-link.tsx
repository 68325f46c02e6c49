import type { TablePerson } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { paths } from '../routing.js';
import { wholeYear, yearOf, type DayRange } from '../state/days.js';
import { groupedId } from './words.js';

/** The name of a person, as a link to their days: in a range, or in the year of a single day. */
export function PersonLink({
  person: { name, ids },
  range,
}: {
  readonly person: Pick<TablePerson, 'name' | 'ids'>;
  readonly range: DayRange;
}): VNode {
  const { formats } = usePage();
  const [id = ''] = ids;
  const wide = range.from === range.to ? wholeYear(yearOf(range.from)) : range;
  return (
    <a href={paths.person(id, wide)} class="person-link">
      {name === null ? <code class="id">{groupedId(id)}</code> : formats.listName(name)}
    </a>
  );
}
