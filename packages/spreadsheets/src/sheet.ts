import type { Day, TallyId, Timestamp } from '@tallybook/domain';

/** A moment, with the day under which it was recorded. */
export interface Moment {
  readonly at: Timestamp;
  readonly day: Day;
}

/** Content of a cell: text, a number or a date (by the kind of the column), tags, a time, or nothing. */
export type Cell = string | number | readonly TallyId[] | Moment | undefined;

export interface Column {
  readonly title: string;
  /** Meaning and format of its cells. Tags are in a column of text. */
  readonly kind: 'text' | 'number' | 'date' | 'time';
  /** Approximate width in characters. */
  readonly width: number;
}

/** A table to write into a file. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Number of columns at the left that stay in view when the others scroll. */
  readonly frozenColumns: number;
  readonly rows: AsyncIterable<readonly Cell[]>;
}
