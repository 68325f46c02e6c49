import { useSignal } from '@preact/signals';
import type { PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Table, TableSearch, type Column } from '../../parts/table.js';
import { useTagSearch } from '../../parts/use-tag.js';
import { compareByName, foldedOf, searchFor, type People } from '../../state/people/people.js';
import type { Person, SeenTap } from '../../state/presence.js';
import { GuestMark } from '../../parts/guest-mark.js';
import { PersonName } from '../../parts/person-name.js';
import { paths } from '../../routing.js';

/** Minimum number of people for showing the search. */
const SEARCH_FROM = 12;

/** Everybody with a name who is here. */
export function PeopleTable({ people: all }: { readonly people: readonly Person[] }): VNode {
  const { session, texts, formats } = usePage();
  const search = useSignal('');
  // The record has no readers: they are known only for taps that this page saw.
  const isReaderKnown = all.some(({ reader }) => reader !== undefined);
  const { columns: labels } = texts;
  const time = (at: number | null): string => (at === null ? texts.today.timeUnknown : formats.time(at));
  const columns: readonly Column<Person>[] = [
    {
      key: 'name',
      label: labels.name,
      isHeader: true,
      cell: ({ key, name, mark, guest }) => (
        <>
          <a href={paths.person(key)} class="person-link">
            {name && <PersonName name={name} mark={mark} />}
          </a>
          <GuestMark guest={guest} />
        </>
      ),
      compare: compareByName(texts.language),
    },
    { key: 'first', label: labels.first, cell: ({ first }) => time(first), compare: by('first') },
    {
      key: 'last',
      label: labels.last,
      cell: ({ last }) => time(last),
      compare: by('last'),
    },
    {
      key: 'count',
      label: labels.taps,
      cell: ({ count }) => formats.number(count),
      compare: (one, other) => one.count - other.count,
    },
    ...(isReaderKnown
      ? [{ key: 'reader', label: labels.reader, cell: ({ reader }: Person) => reader ?? '' }]
      : []),
  ];
  const isFound = searchFor(search.value);
  const named = all.filter((row) => isFound(foldedOf(row)));
  const rows = useTagSearch(search.value, named, all);
  const seen = session.today.lastTap.value;
  const { outcome } = seen?.tap ?? {};
  const lastKey = seen && personOfTap(seen, session.people)?.id;
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
        classOf={({ key }) =>
          key === lastKey ? (outcome === 'already-counted' ? 'row-again' : 'row-new') : ''
        }
      />
    </>
  );
}

/** The person who tapped, as known now: a tag may have got its name since. A tap of a lost tag is nobody's. */
export function personOfTap(
  { tap, at, isLost }: SeenTap,
  { byId, holders }: Pick<People, 'byId' | 'holders'>,
): PersonSummary | undefined {
  if (isLost) return undefined;
  const person = tap.outcome === 'failed' ? undefined : byId.value.get(tap.person ?? '');
  if (person !== undefined) return person;
  const holder = holders.value.get(tap.id);
  return holder === undefined || holder.isLost || holder.since > at ? undefined : holder.person;
}

/** Compares by time; people with an unknown time come last. */
function by(key: 'first' | 'last'): (one: Person, other: Person) => number {
  return (one, other) => (one[key] ?? Infinity) - (other[key] ?? Infinity) || 0;
}
