import { useSignal } from '@preact/signals';
import type { PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { PersonDialog } from '../../parts/person-dialog.js';
import { countGroups, GroupFilter, useGroup } from '../../parts/group-filter.js';
import { GuestMark } from '../../parts/guest-mark.js';
import { Empty, Loading, PageHead } from '../../parts/placeholders.js';
import { Table, TableSearch, type Column } from '../../parts/table.js';
import { TagList } from '../../parts/tag-list.js';
import { useTagSearch } from '../../parts/use-tag.js';
import { paths } from '../../routing.js';
import { compareByName, foldedOf, searchFor } from '../../state/people/people.js';
import { peopleTexts } from '../../texts/topics/people.js';

interface Row extends PersonSummary {
  readonly key: string;
  readonly ids: readonly string[];
  /** Name, number and tags, for a search. */
  readonly folded: string;
}

function rowOf(person: PersonSummary): Row {
  const ids = person.tags.map(({ id }) => id);
  return { ...person, key: person.id, ids, folded: foldedOf({ ...person, ids }) };
}

/** All persons, with their tags. */
export function PeoplePage(): VNode {
  const { access, session, texts, formats, address, words } = usePage(peopleTexts);
  const { people, today } = session;
  const mayChange = access.may('change-names');
  const mayList = mayChange && !access.isBound();
  const group = useGroup();
  const isAdding = useSignal(false);
  const search = useSignal('');
  const all = people.all.value;
  const here = today.people.value;
  const lastToday = useMemo(() => new Map(here.map(({ key, last }) => [key, last])), [here]);
  // Sorted here, so that the table has little to do at each letter of a search.
  const sorted = useMemo(() => all.map(rowOf).sort(compareByName(texts.language)), [all]);
  const inGroup = useMemo(() => sorted.filter(group.has), [sorted, group.id]);
  const found = useMemo(() => {
    const isFound = searchFor(search.value);
    return inGroup.filter(({ folded }) => isFound(folded));
  }, [inGroup, search.value]);
  const counts = useMemo(() => countGroups(all), [all]);
  const rows = useTagSearch(search.value, found, inGroup);
  const columns: readonly Column<Row>[] = [
    {
      key: 'name',
      label: texts.columns.name,
      isHeader: true,
      cell: (row) => (
        <a href={paths.person(row.id)} class="person-link">
          {row.name === null ? row.id : formats.listName(row.name)}
          {row.isInDoubt && <span class="mark-guest">{words.inDoubt}</span>}
          <GuestMark guest={row.guest} />
        </a>
      ),
      compare: compareByName(texts.language),
    },
    {
      key: 'number',
      label: words.number,
      cell: ({ number }) => number ?? '',
      compare: (one, other) => compareNumbers(one.number, other.number),
    },
    {
      key: 'tags',
      label: words.tags,
      cell: ({ tags }) => <TagList tags={tags} />,
      compare: ({ ids: [one = ''] }, { ids: [other = ''] }) => (one < other ? -1 : 1),
    },
    {
      key: 'today',
      label: texts.today.title,
      cell: ({ id }) => {
        const last = lastToday.get(id);
        return last === undefined ? '' : last === null ? texts.today.timeUnknown : formats.time(last);
      },
    },
    {
      key: 'until',
      label: words.until,
      cell: ({ until }) => (until === null ? '' : formats.shortDay(until)),
    },
  ];
  return (
    <>
      <PageHead
        title={texts.people.title}
        hint={all.length > 0 && texts.days.people(inGroup.length)}
        actions={
          mayChange && (
            <>
              {mayList && (
                <a href={paths.import} class="button">
                  <Icon name="import" />
                  {texts.import.title}
                </a>
              )}
              <a href={paths.groups} class="button">
                {texts.groups.title}
              </a>
              {people.isOffered.value && (
                <Button icon="add" opensDialog onClick={() => (isAdding.value = true)}>
                  {words.add}
                </Button>
              )}
              {mayList && (
                <a href={paths.enrolment} class="button button-main">
                  <Icon name="enrol" />
                  {texts.enrol.title}
                </a>
              )}
            </>
          )
        }
      />
      {!people.isLoaded.value ? (
        <Loading />
      ) : all.length === 0 ? (
        <Empty title={words.nobody} hint={mayChange ? words.nobodyHint : ''} />
      ) : (
        <>
          <GroupFilter counts={counts} />
          <div class="table-tools">
            <TableSearch label={words.search} search={search} found={rows.length} />
          </div>
          {rows.length === 0 ? (
            <Empty title={words.nobodyFound} hint={words.nobodyFoundHint} />
          ) : (
            <div class="people-table">
              <Table
                caption={texts.people.title}
                columns={columns}
                rows={rows}
                keyOf={({ key }) => key}
                sortedBy="name"
              />
            </div>
          )}
        </>
      )}
      {isAdding.value && (
        <PersonDialog
          onClose={(id) => {
            isAdding.value = false;
            if (id !== undefined) address.go(paths.person(id));
          }}
        />
      )}
    </>
  );
}

/** People without a number come last. */
function compareNumbers(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return Number(one) - Number(other) || (one < other ? -1 : 1);
}
