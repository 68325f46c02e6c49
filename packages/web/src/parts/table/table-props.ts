import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Order of two rows. Absent if the table cannot be sorted by this column. */
  readonly compare?: (one: T, other: T) => number;
  /** Whether its cells are the headers of their rows. */
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
