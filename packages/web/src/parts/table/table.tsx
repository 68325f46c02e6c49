import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { TableBody } from './table-body.js';
import type { Column, Sorting, TableProps } from './table-props.js';

export type { Column, Sorting };

/** A table with at least this many columns becomes cards on a tablet too. */
const WIDE_FROM = 6;

/**
 * A table with headings that sort it. Only rows near the screen are drawn, so that ten thousand rows are fast. On a
 * narrow screen each row becomes a card, with the headings beside the values.
 */
export function Table<T>({ caption, columns, rows, keyOf, sorting, classOf }: TableProps<T>): VNode {
  const { key: sortedBy, isDescending } = sorting.value;
  const sorted = useMemo(() => {
    const compare = columns.find(({ key }) => key === sortedBy)?.compare;
    const factor = isDescending ? -1 : 1;
    return compare === undefined ? rows : [...rows].sort((a, b) => factor * compare(a, b));
  }, [rows, columns, sortedBy, isDescending]);
  return (
    <table
      class={columns.length < WIDE_FROM ? 'cards' : 'cards cards-wide'}
      aria-rowcount={sorted.length + 1}
    >
      <caption class="only-read">{caption}</caption>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <Heading key={column.key} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <TableBody columns={columns} rows={sorted} keyOf={keyOf} classOf={classOf} />
    </table>
  );
}

function Heading<T>({
  column: { key, label, compare },
  sorting,
}: {
  readonly column: Column<T>;
  readonly sorting: Signal<Sorting>;
}): VNode {
  const { key: sortedBy, isDescending } = sorting.value;
  const isSorted = key === sortedBy;
  if (compare === undefined) {
    return (
      <th scope="col" data-column={key}>
        {label}
      </th>
    );
  }
  return (
    <th
      scope="col"
      data-column={key}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        class="sort"
        onClick={() => (sorting.value = { key, isDescending: isSorted && !isDescending })}
      >
        {label}
      </button>
    </th>
  );
}
