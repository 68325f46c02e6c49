import type { Encoding, Guess } from '../encodings.js';
import type { Columns } from './columns.js';

/** A line that is not of a person, such as a heading or a sum. */
export interface LeftOut {
  readonly line: number;
  readonly text: string;
}

/** How a list was read. It grows while the list is read. */
export interface ListReading {
  readonly encoding: Encoding;
  /** Empty if the encoding is certain or was chosen; else all guesses, the best one first. */
  readonly guesses: readonly Guess[];
  /** Words with letters that do not stand together in any language, as of another encoding. */
  readonly doubtful: readonly string[];
  /** The titles of the columns, else the first row. */
  titles: readonly string[];
  /** Whether the columns were told by their titles. */
  hasTitles: boolean;
  columns: Columns;
  /** Titles of columns that are not used. */
  readonly unused: string[];
  /** Persons without a tag. */
  withoutTag: number;
  readonly leftOut: LeftOut[];
}
