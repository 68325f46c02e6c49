import type { CarriedKey, CarriedRow } from '../../values/people/carried-row.js';
import type { Group, GroupId } from '../../values/people/group.js';
import type { Person, PersonId } from '../../values/people/person.js';
import type { Timeline } from '../../values/people/timeline.js';
import type { Name } from '../../values/name.js';
import type { Stamp, StampedName } from '../../values/stamp.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Revision } from '../revision.js';

/** Rows of one moment by their keys; `undefined`: there is no such row. */
export interface PeopleRows {
  readonly persons: ReadonlyMap<PersonId, Person | undefined>;
  readonly timelines: ReadonlyMap<TallyId, Timeline | undefined>;
  readonly groups: ReadonlyMap<GroupId, Group | undefined>;
  readonly carried: ReadonlyMap<CarriedKey, CarriedRow | undefined>;
  /** Names of tags, as in `StampedNames`. */
  readonly names: ReadonlyMap<TallyId, StampedName | undefined>;
}

export const noPeopleRows: PeopleRows = Object.freeze({
  ...{ persons: new Map(), timelines: new Map(), groups: new Map(), carried: new Map(), names: new Map() },
});

/** Keys of {@link PeopleRows}. */
export interface PeopleKeys {
  readonly persons?: Iterable<PersonId>;
  readonly timelines?: Iterable<TallyId>;
  readonly groups?: Iterable<GroupId>;
  readonly carried?: Iterable<CarriedKey>;
  readonly names?: Iterable<TallyId>;
}

/** Who holds a tag at a moment. */
export interface TagHolder {
  /** Absent if nobody does. Merged persons are resolved. */
  readonly person?: PersonId;
  readonly name?: Name;
  /** The tag was lost then. */
  readonly isLost?: true;
}

/**
 * Stores persons, the timelines of tags, groups and carried rows, beside the names of a `MappingStore` of the same storage.
 *
 * The store keeps rows. What they mean, and how they change, is decided in the domain: `PeopleService` reads rows, decides, and
 * writes all rows that change, with the rows that it decided on.
 *
 * For implementors:
 *
 * - The promises of `MappingStore` about writes hold here too: one transaction, in turn with the writes there, durable when it
 *   resolves. In that transaction the journal gets a `person` change for each written person, a `tag` change for each written
 *   timeline, a `group` change for each written group, a `carried` change for each written {@link CarriedRow}, and a `name` change for each
 *   name that becomes another one; `MappingStore.revision` changes with these.
 * - A tag that has a timeline row gets its name from here alone: `put`, `restore`, `remove` and `change` of the `MappingStore`, and
 *   `merge` and `replace` of `StampedNames`, reject with `TAG_HAS_TIMELINE`, as a whole, if they would write such a name.
 * - Rows are values of the domain and need no further check. A row that cannot be read rejects with `STORE_CORRUPT`.
 */
export interface PeopleStore {
  /** Id of a new person: 7 random bytes. */
  newId(): PersonId;
  /** The tag of last resort of a person: of an implicit one `FF5442` and the first 7 bytes of SHA-256 of the canonical id of the tag. */
  lastResortOf(person: PersonId): TallyId;
  /** The stamp of a change now, later than `before`. If the time is unknown, it is the first one after `before`. */
  stampAfter(before: Stamp | undefined): Stamp;
  /** All these rows as of one moment. */
  read(keys: PeopleKeys): Promise<PeopleRows>;
  /**
   * Writes rows, all or none, if the rows that they were decided on are still the same: `undefined` removes a row. Resolves with
   * false, and writes nothing, if one of the seen rows differs.
   *
   * @param seen Rows as {@link read} gave them.
   */
  write(rows: PeopleRows, seen: PeopleRows): Promise<boolean>;
  /** Person rows after an id, ascending by id (`<` of the texts). A page may have fewer; only a page at the end is empty. */
  persons(after: PersonId | undefined, limit: number): Promise<readonly Person[]>;
  /** Timeline rows after a tag, ascending. */
  timelines(after: TallyId | undefined, limit: number): Promise<readonly Timeline[]>;
  /** All groups, ascending by id (`<` of the texts): at most `GROUPS_MAX`, as `PeopleService` sees to. */
  groups(): Promise<readonly Group[]>;
  /** Carried rows after a key, ascending by key (`<` of the texts). A page may have fewer; only a page at the end is empty. */
  carried(after: CarriedKey | undefined, limit: number): Promise<readonly CarriedRow[]>;
  /** Who held a tag at a moment. Every tap asks, so it costs little more than `MappingStore.get`. */
  holderAt(tag: TallyId, at: Timestamp): Promise<TagHolder>;
  /** Changes whenever a person, a timeline, a group or a carried row changes. */
  revision(): Promise<Revision>;
}
