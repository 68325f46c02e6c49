import { useSignal } from '@preact/signals';
import type { UnnamedTag } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { groupedId } from '../../parts/words/grouped-id.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import type { Enrolment } from '../../state/names/enrolment.js';

/** The tags without a name that were read in the last weeks. */
export function UnnamedTable({ enrolment }: { readonly enrolment: Enrolment }): VNode | null {
  const { texts, formats } = usePage();
  const sorting = useSignal<Sorting>({ key: 'at', isDescending: true });
  const columns = useMemo<readonly Column<UnnamedTag>[]>(
    () => [
      {
        key: 'id',
        label: texts.names.tag,
        isHeader: true,
        cell: ({ id }) => <code class="id">{groupedId(id)}</code>,
        compare: (one, other) => (one.id < other.id ? -1 : 1),
      },
      {
        key: 'at',
        label: texts.enrol.seen,
        cell: ({ at }) => formats.dateTime(at),
        compare: (one, other) => one.at - other.at,
      },
      {
        key: 'scans',
        label: texts.columns.taps,
        cell: ({ scans }) => formats.number(scans),
        compare: (one, other) => one.scans - other.scans,
      },
      { key: 'reader', label: texts.columns.reader, cell: ({ reader }) => reader ?? '' },
      {
        key: 'name',
        label: texts.columns.name,
        cell: ({ id }) => (
          <button
            type="button"
            class="button"
            aria-label={`${texts.tap.giveName}: ${groupedId(id)}`}
            onClick={() => enrolment.choose(id)}
          >
            {texts.tap.giveName}
          </button>
        ),
      },
    ],
    [texts, formats, enrolment],
  );
  const { value: rows } = enrolment.unnamed;
  if (rows === undefined || rows.length === 0) return null;
  return (
    <section class="unnamed-list" aria-labelledby="unnamed-list">
      <h2 id="unnamed-list">{texts.today.unnamed(rows.length)}</h2>
      <p class="quiet">{texts.enrol.unnamedHint}</p>
      <Table
        caption={texts.today.unnamed(rows.length)}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={sorting}
      />
    </section>
  );
}
