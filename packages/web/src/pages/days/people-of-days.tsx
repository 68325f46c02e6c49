import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { PersonLink } from '../../parts/person-link.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import type { DayRange } from '../../state/days/days.js';
import { stripOf } from '../../state/days/picture-of.js';
import type { Presences } from '../../state/days/table-of.js';

/** A row for each person, with the number of days and the days. */
export function PeopleOfDays({
  present,
  range,
  title,
}: {
  readonly present: readonly Presences[];
  readonly range: DayRange;
  readonly title: string;
}): VNode {
  const { texts, formats } = usePage();
  const sorting = useSignal<Sorting>({ key: 'name', isDescending: false });
  const { from, to } = range;
  const columns = useMemo<readonly Column<Presences>[]>(() => {
    const { columns: labels } = texts;
    const places = new Map(present.map((each, index) => [each, index]));
    const placeOf = (each: Presences): number => places.get(each) ?? 0;
    return [
      {
        key: 'name',
        label: labels.name,
        isHeader: true,
        cell: ({ person }) => <PersonLink person={person} range={range} />,
        // In the order of the service.
        compare: (one, other) => placeOf(one) - placeOf(other),
      },
      {
        key: 'days',
        label: labels.days,
        cell: ({ days }) => formats.number(days.length),
        compare: (one, other) => one.days.length - other.days.length,
      },
      {
        key: 'when',
        label: labels.when,
        cell: ({ days }) => (
          <svg class="strip" viewBox={`0 0 ${to - from + 1} 1`} preserveAspectRatio="none" aria-hidden="true">
            <path d={stripOf(days, range)} />
          </svg>
        ),
      },
    ];
  }, [present, from, to, texts, formats]);
  return (
    <Table
      caption={title}
      columns={columns}
      rows={present}
      keyOf={({ person }) => person.ids.join()}
      sorting={sorting}
    />
  );
}
