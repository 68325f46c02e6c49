import type { StampedName } from '../../values/stamp.js';
import type { TallyId } from '../../values/tally-id.js';

/**
 * Gives the time of local changes of names to a storage. A storage stamps each name that `put`, `remove` and `change` write, in
 * the same transaction, with `nextStamp`; the node is the origin of its journal. It also stamps an unchanged name, but not the
 * removal of a name that was absent.
 */
export interface StampSource {
  /**
   * Milliseconds since 1970, whole; `undefined` if the time is unknown: then written names have `stamp: undefined`. A
   * centre should always give it, since no other place stamps its changes.
   */
  now(): number | undefined;
}

/**
 * The names of a `MappingStore` with their stamps, including removed names, for merging with names of other places.
 *
 * It writes the same names as that store. So, like a `SnapshotSource`, it belongs to the store: replace both or none.
 *
 * For implementors:
 *
 * - The promises of `MappingStore` about writes hold here too: one transaction, in turn with the writes there, durable when it
 *   resolves. A name that is added, replaced or removed is a `name` change of the journal in that transaction; a new stamp
 *   alone is no change. `MappingStore.revision` changes with each changed name.
 * - A removed name leaves its id and stamp, which `MappingStore` does not show. An erasure removes them too.
 * - A name without a stored stamp has {@link NO_STAMP}. The stamp of a change at an unknown time is `undefined`. Both stay
 *   different after a restart. In a merge, both are earlier than every other stamp.
 * - A backup does not hold stamps.
 */
export interface StampedNames {
  /**
   * Takes over each name with its stamp, unless the present name of the tag, or its removal, has an equal or later stamp; all
   * or none. An unknown id takes any name. Of several names of one id, the latest one counts.
   *
   * @param names At most 1,000.
   * @returns The names that stayed here and differ from the given ones. A removed name differs from a present name. One for
   * each id, in any order.
   */
  merge(names: readonly StampedName[]): Promise<readonly StampedName[]>;
  /**
   * Sets names and their stamps in place of the present ones; all or none. Of several names of one id, the last one counts.
   * At most 1,000.
   */
  replace(names: readonly StampedName[]): Promise<void>;
  /** The names of these ids, including removed names, in the order of the ids; none for an id that never had a name. */
  get(ids: readonly TallyId[]): Promise<readonly StampedName[]>;
  /**
   * All names after an id, including removed names, ascending by id; from the first one on if no id is given.
   *
   * @param limit Maximum number of results, at least 1. A page may have fewer; only a page at the end is empty.
   */
  page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]>;
}
