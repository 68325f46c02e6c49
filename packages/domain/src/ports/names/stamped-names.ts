import type { Lifecycle } from '../../lifecycle.js';
import type { StampedName } from '../../values/names/name-stamp.js';
import type { TallyId } from '../../values/tally-id.js';

/**
 * Gives the time of local changes of names to a `MappingStore`. A store that has one stamps each name that `put`, `remove` and
 * `change` write, in the same transaction, with `nextStamp`: also a name that is the same as before, but not the removal of a
 * name that was not there. Without one, written names have no stamp, and every stamped name is later.
 */
export interface StampSource {
  /**
   * Milliseconds since 1970, whole; `undefined` if nobody knows the time: then written names have `stamp: undefined`. At a
   * centre it should always be given, since nobody else stamps the changes there.
   */
  now(): number | undefined;
  /** Where the changes are made: 1 to 64 characters, such as `Journal.origin`. */
  readonly node: string;
}

/**
 * The names of a `MappingStore` with their stamps, removed names too, to be merged with the names of other places.
 *
 * It writes the same names, so it belongs to that store, as a `SnapshotSource` does: whoever replaces one replaces the other.
 *
 * For implementors:
 *
 * - What is promised of writes in `MappingStore` holds here too: one transaction, in turn with the writes there, durable when
 *   it resolves. A name that becomes another one, comes or goes is a `name` change of the journal in that transaction; a new
 *   stamp alone is none. `MappingStore.revision` changes with each changed name.
 * - A removed name leaves its id and stamp. It is no name for `MappingStore`. An erasure removes them too, without a trace.
 * - A name without a stored stamp has {@link NO_STAMP}; the stamp of a change at an unknown time is `undefined`; a restart does
 *   not turn one into the other. In a merge, both are earlier than every other stamp.
 * - A backup does not hold stamps.
 *
 * In addition to the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface StampedNames extends Lifecycle {
  /**
   * Takes over each name with its stamp, unless the one here, or its removal, has a stamp that is not earlier; all or none. An
   * id of which nothing is known takes whatever comes. Of several names of one id the latest one counts.
   *
   * @param names At most 1,000.
   * @returns The names that stayed here and differ from the given ones: another name, a name instead of none, or none instead
   * of a name. One for each id, in any order.
   */
  merge(names: readonly StampedName[]): Promise<readonly StampedName[]>;
  /** Sets names and their stamps, whatever is there; all or none. Of several of one id the last one counts. At most 1,000. */
  replace(names: readonly StampedName[]): Promise<void>;
  /** The names of these ids, also removed ones, in their order; none for an id that never had a name. */
  get(ids: readonly TallyId[]): Promise<readonly StampedName[]>;
  /**
   * All names that follow an id, ascending by id, also removed ones; from the first on if no id is given.
   *
   * @param limit At most so many, at least 1. There may be fewer; only at the end there are none.
   */
  page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]>;
}
