import type { Day, TallyId, Timestamp } from '@tallybook/domain';

/** A time of day, on the day that it was recorded for. */
export interface Moment {
  readonly at: Timestamp;
  readonly day: Day;
}

/** Content of a cell: text, a number or a date (the column says which), tags, a time, or nothing. */
export type Cell = string | number | readonly TallyId[] | Moment | undefined;

export interface Column {
  readonly title: string;
  /** Meaning and format of its numbers. A column of text holds tags too. */
  readonly kind: 'text' | 'number' | 'date' | 'time';
  /** In characters, about. */
  readonly width: number;
}

/** A table on its way into a file. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns that stay in view when the others move, from the left. */
  readonly frozenColumns: number;
  readonly rows: AsyncIterable<readonly Cell[]>;
}
