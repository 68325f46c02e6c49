import type { PeopleRows } from '../ports/people/people-store.js';
import type { CarriedKey, CarriedRow } from '../values/people/carried-row.js';
import type { Group, GroupId } from '../values/people/group.js';
import type { Person, PersonId } from '../values/people/person.js';
import type { Timeline } from '../values/people/timeline.js';
import type { StampedName } from '../values/stamp.js';
import type { TallyId } from '../values/tally-id.js';
import type { WantedKeys } from './wanted-keys.js';

/** Rows of one kind, as they are stored and as they will be. */
class RowsOfKind<Key, Row> {
  readonly changed: Map<Key, Row> = new Map();
  readonly forgotten: Set<Key> = new Set();
  readonly #stored: ReadonlyMap<Key, Row | undefined>;
  readonly #want: (key: Key) => void;

  /** @param want Is called with the keys of rows that have to be read first. */
  constructor(stored: ReadonlyMap<Key, Row | undefined>, want: (key: Key) => void) {
    this.#stored = stored;
    this.#want = want;
  }

  stored(key: Key): Row | undefined {
    if (!this.#stored.has(key)) this.#want(key);
    return this.#stored.get(key);
  }

  has(key: Key): boolean {
    return this.changed.has(key) || this.stored(key) !== undefined;
  }

  forget(key: Key): void {
    this.changed.delete(key);
    this.forgotten.add(key);
  }

  /** The rows that differ from the stored ones. Equal rows have equal plain values. */
  written(toPlain: (row: Row) => unknown): ReadonlyMap<Key, Row | undefined> {
    const textOf = (row: Row): string => JSON.stringify(toPlain(row));
    const written = new Map<Key, Row | undefined>();
    for (const [key, row] of this.changed) {
      const stored = this.stored(key);
      if (stored === undefined || textOf(stored) !== textOf(row)) written.set(key, row);
    }
    for (const key of this.forgotten) if (this.stored(key) !== undefined) written.set(key, undefined);
    return written;
  }
}

/** The rows that a draft is about. */
export interface DraftRows {
  readonly persons: RowsOfKind<PersonId, Person>;
  readonly timelines: RowsOfKind<TallyId, Timeline>;
  readonly groups: RowsOfKind<GroupId, Group>;
  readonly carried: RowsOfKind<CarriedKey, CarriedRow>;
  /** They follow from the others, so only the stored ones are here. */
  readonly names: RowsOfKind<TallyId, StampedName>;
}

export function draftRows(rows: PeopleRows, wanted: WantedKeys): DraftRows {
  return {
    persons: new RowsOfKind(rows.persons, (id) => wanted.want('persons', id)),
    timelines: new RowsOfKind(rows.timelines, (tag) => wanted.want('timelines', tag)),
    groups: new RowsOfKind(rows.groups, (id) => wanted.want('groups', id)),
    carried: new RowsOfKind(rows.carried, (key) => wanted.want('carried', key)),
    names: new RowsOfKind(rows.names, (tag) => wanted.want('names', tag)),
  };
}
