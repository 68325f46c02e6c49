import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import { paths } from '../../routing/paths.js';
import type { PresenceOfDay } from '../../state/days/table-of.js';

/** The days of somebody in words, the latest first: what the picture shows. */
export function PersonDays({ days }: { readonly days: readonly PresenceOfDay[] }): VNode {
  const { texts, formats } = usePage();
  const sorting = useSignal<Sorting>({ key: 'day', isDescending: true });
  const columns = useMemo<readonly Column<PresenceOfDay>[]>(() => {
    const { columns: labels } = texts.days;
    return [
      {
        key: 'day',
        label: labels.day,
        isHeader: true,
        cell: ({ day }) => (
          <a href={paths.days({ from: day, to: day })} class="person-link">
            {formats.shortDay(day)}
          </a>
        ),
        compare: (one, other) => one.day - other.day,
      },
      { key: 'first', label: labels.first, cell: ({ first }) => formats.time(first) },
      { key: 'last', label: labels.last, cell: ({ last }) => formats.time(last) },
      { key: 'taps', label: labels.taps, cell: ({ scans }) => formats.number(scans) },
    ];
  }, [texts, formats]);
  return (
    <Table
      caption={texts.person.picture}
      columns={columns}
      rows={days}
      keyOf={({ day }) => String(day)}
      sorting={sorting}
    />
  );
}
