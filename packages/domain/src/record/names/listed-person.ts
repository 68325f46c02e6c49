import type { RefusedLine } from './refused-line.js';

/** A person in a list, as it is written there. Nothing is checked yet. Lines count from 1. */
export interface ListedPerson {
  readonly line: number;
  /** The id of the person: of a list that was exported here. Absent if the cell is empty. */
  readonly person?: string;
  /** Their tags. Empty if they have none yet. */
  readonly tags: readonly string[];
  /** The member's number. Absent if the list has no such column; empty if the cell is. */
  readonly number?: string;
  readonly name: { readonly first: string; readonly last: string };
  /** The groups. Absent if the list has no such column. */
  readonly groups?: readonly string[];
}

/** A row of a list: a person, or the reason why it cannot be read. */
export type ListRow = ListedPerson | RefusedLine;
