import type { Person } from '@tallybook/client';
import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { usePage } from '../page-context.js';
import { paths } from '../paths.js';
import { wholeYear, yearOf, type DayRange } from '../state/days.js';
import { groupedId } from './grouped-id.js';

/** Who it is, and the way to when they were there: in a range, or, for a day, in its year. */
export function PersonLink({
  person: { name, ids },
  range,
}: {
  readonly person: Pick<Person, 'name' | 'ids'>;
  readonly range: DayRange;
}): VNode {
  const { formats } = usePage();
  const [id = ''] = ids;
  const wide = range.from === range.to ? wholeYear(yearOf(range.from)) : range;
  return (
    <Link href={paths.person(id, wide)} class="person-link">
      {name === null ? <code class="id">{groupedId(id)}</code> : formats.listName(name)}
    </Link>
  );
}
