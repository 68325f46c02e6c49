import type { Person } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { PersonLink } from '../../parts/person-link.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import type { DayRange } from '../../state/days/days.js';
import type { PresenceOfDay, Presences } from '../../state/days/table-of.js';

/** More are no use to eyes, and slow on a small tablet. */
const MOST_ROWS = 500;

interface Row extends PresenceOfDay {
  readonly person: Person;
}

/** A row for each person and day, the latest day first. */
export function EntriesTable({
  present,
  range,
  title,
}: {
  readonly present: readonly Presences[];
  readonly range: DayRange;
  readonly title: string;
}): VNode {
  const { texts, formats } = usePage();
  const isOneDay = range.from === range.to;
  const sorting = useSignal<Sorting>({ key: '', isDescending: false });
  const rows = useMemo(
    () =>
      present
        .flatMap(({ person, days }) => days.map((day): Row => ({ ...day, person })))
        .sort((one, other) => other.day - one.day || one.first - other.first),
    [present],
  );
  const columns = useMemo<readonly Column<Row>[]>(() => {
    const { columns: labels } = texts.days;
    const day: Column<Row> = {
      key: 'day',
      label: labels.day,
      cell: (row) => formats.shortDay(row.day),
      compare: by('day'),
    };
    return [
      {
        key: 'name',
        label: labels.name,
        isHeader: true,
        cell: ({ person }) => <PersonLink person={person} range={range} />,
      },
      ...(isOneDay ? [] : [day]),
      { key: 'first', label: labels.first, cell: ({ first }) => formats.time(first), compare: by('first') },
      { key: 'last', label: labels.last, cell: ({ last }) => formats.time(last), compare: by('last') },
      { key: 'taps', label: labels.taps, cell: ({ scans }) => formats.number(scans), compare: by('scans') },
    ];
  }, [isOneDay, range, texts, formats]);
  return (
    <>
      <Table
        caption={title}
        columns={columns}
        rows={rows.slice(0, MOST_ROWS)}
        keyOf={({ day, person }) => `${day} ${person.ids.join()}`}
        sorting={sorting}
      />
      {rows.length > MOST_ROWS && <p class="quiet">{texts.days.more(rows.length - MOST_ROWS)}</p>}
    </>
  );
}

function by(key: 'day' | 'first' | 'last' | 'scans'): (one: Row, other: Row) => number {
  return (one, other) => one[key] - other[key];
}
