import type { Mapping, Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Revision } from '../revision.js';

/** Whether an association is new or took the place of another one. */
export type PutOutcome = 'added' | 'replaced';

/** Outcome of restoring a name from a backup. `erased`: not restored, since the person of the tag was erased. */
export type RestoreOutcome = PutOutcome | 'erased';

/** Changes of names: each tag gets the given name, or loses its name if the value is `undefined`. */
export type NameChanges = ReadonlyMap<TallyId, Name | undefined>;

/** A tag and the name of its holder. */
export type Association = readonly [id: TallyId, name: Name];

/**
 * The mapping as of one moment, unchanged by later writes. For callers that must not hold all of it in memory.
 *
 * Its memory does not grow with the mapping. Several callers may read it at a time. The caller that took it disposes of
 * it. A page rejects as the store does, and with `STORE_READ_FAILED` if the snapshot was disposed of, or was lost
 * because its store was closed or opened again.
 */
export interface MappingSnapshot extends AsyncDisposable {
  /**
   * The associations after a tag, ascending by id; from the first one on if no tag is given.
   *
   * @param limit Maximum number of results, at least 1. A page may have fewer; only a page at the end is empty.
   */
  page(after: TallyId | undefined, limit: number): Promise<readonly Association[]>;
}

/**
 * Stores the names of the holders of tags.
 *
 * For implementors: other processes may write to the same storage unless your own documentation rules it out, so decide and
 * write in one transaction. Writes of one caller take effect in the order of the calls. A write resolves only when it would
 * survive a power cut. A write that rejects has happened as a whole or not at all. The cost of `get`, `put`, `restore`,
 * `remove` and `change` does not grow with the mapping. Arguments are values of the domain and need no further check.
 */
export interface MappingStore {
  /** The whole mapping as one consistent snapshot, which later writes do not change. */
  read(): Promise<Mapping>;
  /** The same, to be read a page at a time. It does not delay writes. */
  snapshot(): Promise<MappingSnapshot>;
  /** The name of one tag, `undefined` if it has none. */
  get(id: TallyId): Promise<Name | undefined>;
  /** Associates a tag with a name, in place of its earlier name. */
  put(id: TallyId, name: Name): Promise<PutOutcome>;
  /**
   * Puts a name from a backup. Where names have stamps, it gets the stamp of `restoredStamp`, not that of a change now.
   *
   * For implementors: the caller has checked whether the person was erased. If other processes may write to the same
   * storage, check again in the transaction: leave out a name whose tag was erased at `knownAt` or later, or at any time if
   * `knownAt` is `undefined`.
   *
   * @param knownAt When the backup was made; `undefined` if unknown.
   */
  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome>;
  /** Removes an association and says whether there was one. */
  remove(id: TallyId): Promise<boolean>;
  /**
   * Changes many names, all or none: no reader ever sees only a part of the changes.
   *
   * @returns The earlier names of these tags; tags without a name are left out. A damaged name is replaced like any
   * other, and left out of the result. The result belongs to the caller.
   */
  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>>;
  /** Changes whenever the result of `read` changes. */
  revision(): Promise<Revision>;
}
