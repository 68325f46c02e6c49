import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { TableBody } from './table-body.js';

export interface Column<T> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Without one, the column cannot be sorted by. */
  readonly compare?: (one: T, other: T) => number;
  /** The one that says what the row is about. */
  readonly isHeader?: boolean;
}

export interface Sorting {
  readonly key: string;
  readonly isDescending: boolean;
}

export interface TableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly sorting: Signal<Sorting>;
  readonly classOf?: ((row: T) => string) | undefined;
}

/**
 * A table whose headings sort it. Of many rows only those near the screen are drawn, so ten thousand are no burden. On a narrow screen
 * each row becomes a card, with the headings beside the values.
 */
export function Table<T>({ caption, columns, rows, keyOf, sorting, classOf }: TableProps<T>): VNode {
  const { key: sortedBy, isDescending } = sorting.value;
  const sorted = useMemo(() => {
    const compare = columns.find(({ key }) => key === sortedBy)?.compare;
    const factor = isDescending ? -1 : 1;
    return compare === undefined ? rows : [...rows].sort((a, b) => factor * compare(a, b));
  }, [rows, columns, sortedBy, isDescending]);
  return (
    <table class="cards" aria-rowcount={sorted.length + 1}>
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
