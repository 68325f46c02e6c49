import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';

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
  readonly classOf?: (row: T) => string;
}

/** A table whose headings sort it. On a narrow screen each row becomes a card, with the headings beside the values. */
export function Table<T>({ caption, columns, rows, keyOf, sorting, classOf }: TableProps<T>): VNode {
  const { key: sortedBy, isDescending } = sorting.value;
  const compare = columns.find(({ key }) => key === sortedBy)?.compare;
  const factor = isDescending ? -1 : 1;
  const sorted = compare === undefined ? rows : [...rows].sort((a, b) => factor * compare(a, b));
  return (
    <table class="cards">
      <caption class="only-read">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.key} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted.map((row) => (
          <tr key={keyOf(row)} class={classOf?.(row)}>
            {columns.map(({ key, label, cell, isHeader }) =>
              isHeader === true ? (
                <th key={key} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={key} data-label={label} data-column={key}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
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
