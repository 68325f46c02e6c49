import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Empty, Loading, PageHead } from '../../parts/placeholders.js';
import { groupedId } from '../../parts/words.js';
import { Icon } from '../../parts/icon.js';
import { Table, TableSearch, type Column } from '../../parts/table.js';
import { paths } from '../../routing.js';
import { compareByName, holdersOf, keyOf, searchFor, type Holder } from '../../state/names/names.js';
import { useTagSearch } from '../../parts/use-tag.js';
import { PersonDialog } from './person-dialog.js';
import { Button } from '../../parts/button.js';

/** Everybody with a name, and their tags. */
export function NamesPage(): VNode {
  const { access, session, texts, formats } = usePage();
  const mayChange = access.may('change-names');
  const editing = useSignal<Holder | 'new' | undefined>(undefined);
  const search = useSignal('');
  /** Key of the person whose name was changed: their new row gets the focus back. */
  const saved = useRef<string | undefined>(undefined);
  useEffect(() => {
    const key = saved.current;
    saved.current = undefined;
    if (key === undefined) return;
    const buttons = document.querySelectorAll<HTMLElement>('.name-button');
    Array.from(buttons)
      .find(({ dataset }) => dataset['key'] === key)
      ?.focus();
    // Only after the dialog is closed: before, no element behind it can have the focus.
  }, [editing.value]);
  const names = session.names.all.value;
  // Sorted here, so that the table has little to do at each letter of a search.
  const holders = useMemo(() => [...holdersOf(names)].sort(compareByName(texts.language)), [names]);
  const named = useMemo(() => {
    const isFound = searchFor(search.value);
    return holders.filter(({ folded }) => isFound(folded));
  }, [holders, search.value]);
  const rows = useTagSearch(search.value, named, holders);
  const columns: readonly Column<Holder>[] = [
    {
      key: 'name',
      label: texts.columns.name,
      isHeader: true,
      cell: (holder) =>
        !mayChange ? (
          <a href={paths.person(holder.ids[0] ?? '')} class="person-link">
            {formats.listName(holder.name)}
          </a>
        ) : (
          <button
            type="button"
            class="name-button"
            data-key={holder.key}
            aria-haspopup="dialog"
            onClick={() => (editing.value = holder)}
          >
            {formats.listName(holder.name)}
            <Icon name="edit" />
          </button>
        ),
      compare: compareByName(texts.language),
    },
    {
      key: 'tags',
      label: texts.names.tags,
      cell: ({ ids }) => <TagList ids={ids} />,
      compare: ({ ids: [one = ''] }, { ids: [other = ''] }) => (one < other ? -1 : 1),
    },
  ];
  const dialog = editing.value;
  return (
    <>
      <PageHead
        title={texts.names.title}
        hint={
          session.names.isLoaded.value &&
          holders.length > 0 &&
          `${texts.days.people(holders.length)} · ${texts.names.tagCount(names.size)}`
        }
        actions={
          mayChange && (
            <>
              <a href={paths.import} class="button">
                <Icon name="import" />
                {texts.import.title}
              </a>
              <Button icon="add" onClick={() => (editing.value = 'new')}>
                {texts.names.add}
              </Button>
              <a href={paths.enrolment} class="button button-main">
                <Icon name="enrol" />
                {texts.enrol.title}
              </a>
            </>
          )
        }
      />
      {!session.names.isLoaded.value ? (
        <Loading />
      ) : holders.length === 0 ? (
        <Empty title={texts.names.nobody} hint={mayChange ? texts.names.nobodyHint : ''} />
      ) : (
        <>
          <div class="table-tools">
            <TableSearch label={texts.names.search} search={search} found={rows.length} />
          </div>
          {rows.length === 0 ? (
            <Empty title={texts.names.nobodyFound} hint={texts.names.nobodyFoundHint} />
          ) : (
            <div class="names-table">
              <Table
                caption={texts.names.title}
                columns={columns}
                rows={rows}
                keyOf={({ key }) => key}
                sortedBy="name"
              />
            </div>
          )}
        </>
      )}
      {dialog === undefined ? undefined : (
        <PersonDialog
          holder={dialog === 'new' ? undefined : dialog}
          onClose={(name) => {
            editing.value = undefined;
            if (name !== undefined) saved.current = keyOf(name);
          }}
        />
      )}
    </>
  );
}

function TagList({ ids }: { readonly ids: readonly string[] }): VNode {
  return (
    <span class="tag-list">
      {ids.map((id) => (
        <code key={id} class="id">
          {groupedId(id)}
        </code>
      ))}
    </span>
  );
}
