import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Table, TableSearch, type Column } from '../../parts/table.js';
import type { Guest } from '../../state/kept.js';
import { useTagSearch } from '../../parts/use-tag.js';
import { compareByName, foldedOf, searchFor } from '../../state/people/people.js';
import type { Person } from '../../state/presence.js';
import { PersonName } from '../../parts/person-name.js';
import { paths } from '../../routing.js';

/** Minimum number of people for showing the search. */
const SEARCH_FROM = 12;

interface Row extends Person {
  readonly guest?: Guest;
}

/** Everybody with a name who is here. */
export function PeopleTable({
  people,
  guests,
}: {
  readonly people: readonly Person[];
  readonly guests: readonly Guest[];
}): VNode {
  const { session, texts, formats } = usePage();
  const search = useSignal('');
  const all: readonly Row[] = [...people, ...guests.map(rowOf)];
  // The record has no readers: they are known only for taps that this page saw.
  const isReaderKnown = all.some(({ reader }) => reader !== undefined);
  const { columns: labels } = texts;
  const time = (at: number | null): string => (at === null ? texts.today.timeUnknown : formats.time(at));
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      label: labels.name,
      isHeader: true,
      cell: ({ key, name, mark, guest }) =>
        guest === undefined ? (
          <a href={paths.person(key)} class="person-link">
            {name && <PersonName name={name} mark={mark} />}
          </a>
        ) : (
          <>
            {guest.name}
            <span class="mark-guest">{texts.guest.mark}</span>
          </>
        ),
      compare: compareByName(texts.language),
    },
    { key: 'first', label: labels.first, cell: ({ first }) => time(first), compare: by('first') },
    {
      key: 'last',
      label: labels.last,
      cell: ({ last, guest }) => (guest === undefined ? time(last) : ''),
      compare: by('last'),
    },
    {
      key: 'count',
      label: labels.taps,
      cell: ({ count }) => (count === 0 ? '' : formats.number(count)),
      compare: (one, other) => one.count - other.count,
    },
    ...(isReaderKnown
      ? [{ key: 'reader', label: labels.reader, cell: ({ reader }: Row) => reader ?? '' }]
      : []),
  ];
  const isFound = searchFor(search.value);
  const named = all.filter((row) => isFound(foldedOf(row)));
  const rows = useTagSearch(search.value, named, all);
  const { id: lastId, outcome } = session.today.lastTap.value?.tap ?? {};
  return (
    <>
      {all.length < SEARCH_FROM ? undefined : (
        <div class="table-tools no-print">
          <TableSearch label={texts.today.search} search={search} found={rows.length} />
        </div>
      )}
      <Table
        caption={texts.today.people}
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        sortedBy="last"
        isDescending
        classOf={({ ids }) =>
          lastId !== undefined && ids.includes(lastId)
            ? outcome === 'already-counted'
              ? 'row-again'
              : 'row-new'
            : ''
        }
      />
    </>
  );
}

function rowOf(guest: Guest): Row {
  const { name, at } = guest;
  return {
    key: `guest ${at} ${name}`,
    name: { first: '', last: name },
    mark: '',
    number: null,
    ids: [],
    first: at,
    last: at,
    count: 0,
    reader: undefined,
    guest,
  };
}

/** Compares by time; people with an unknown time come last. */
function by(key: 'first' | 'last'): (one: Row, other: Row) => number {
  return (one, other) => (one[key] ?? Infinity) - (other[key] ?? Infinity) || 0;
}
