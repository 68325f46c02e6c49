import type { Lifecycle } from '../../lifecycle.js';
import type { Mapping } from '../../values/names/mapping.js';
import type { Name } from '../../values/names/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { Revision } from '../revision.js';

/** Whether an association is new or took the place of another one. */
export type PutOutcome = 'added' | 'replaced';

/** Outcome of restoring a name from a backup; `erased`: not restored, since its person was erased. */
export type RestoreOutcome = PutOutcome | 'erased';

/** Changes of names: each tag gets the name beside it, or loses its name if that is `undefined`. */
export type NameChanges = ReadonlyMap<TallyId, Name | undefined>;

/** A tag and whom it belongs to. */
export type Association = readonly [id: TallyId, name: Name];

/**
 * The mapping as it was at one moment, whatever is written meanwhile, for those who must not hold all of it.
 *
 * It takes no memory that grows with the mapping, may be read by several at a time, and whoever asked for it disposes
 * of it. A page rejects as the store does, and with `STORE_READ_FAILED` if the snapshot was disposed of, or was lost
 * because its store was closed or opened anew.
 */
export interface MappingSnapshot extends AsyncDisposable {
  /**
   * The associations that follow a tag, ascending by id, from the first one on if no tag is given.
   *
   * @param limit At most so many, at least 1. There may be fewer; only at the end there are none.
   */
  page(after: TallyId | undefined, limit: number): Promise<readonly Association[]>;
}

/**
 * Keeps which tag belongs to whom.
 *
 * For implementors: other processes may write to the same storage unless your own documentation rules it out,
 * so decide and write in one transaction. Writes of one caller take effect in the order of the calls. A write
 * resolves only when it would survive a power cut, and a write that rejects left the association as it was or
 * as it should be, never in between. The cost of `get`, `put`, `restore`, `remove` and `change` does not grow with the mapping.
 * Arguments are values of the domain and need no further check.
 *
 * Beside the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface MappingStore extends Lifecycle {
  /** The whole mapping as one consistent snapshot, which later writes do not change. */
  read(): Promise<Mapping>;
  /** The same, to be read a page at a time. It keeps nobody from writing. */
  snapshot(): Promise<MappingSnapshot>;
  /** The name of one tag, `undefined` if it has none. */
  get(id: TallyId): Promise<Name | undefined>;
  /** Associates a tag with a name, in place of the one it had. */
  put(id: TallyId, name: Name): Promise<PutOutcome>;
  /**
   * Puts a name from a backup. Where names have stamps it gets that of `restoredStamp`, and not that of a change now.
   *
   * For implementors: the caller has asked whether the person was erased. If others may write to the same storage, ask once
   * more in the transaction: leave out a name whose tag was erased at `knownAt` or later, or at any time if `knownAt` is
   * `undefined`.
   *
   * @param knownAt When the backup was made; `undefined` if nobody knows.
   */
  restore(id: TallyId, name: Name, knownAt: Timestamp | undefined): Promise<RestoreOutcome>;
  /** Removes an association and says whether there was one. */
  remove(id: TallyId): Promise<boolean>;
  /**
   * Changes many names, all or none: nobody ever reads some of them changed and others not.
   *
   * @returns The names that these tags had until then, of those that had one. A damaged one is replaced like any other,
   * and left out. The result belongs to the caller.
   */
  change(changes: NameChanges): Promise<ReadonlyMap<TallyId, Name>>;
  /** Changes whenever what `read` returns changes. */
  revision(): Promise<Revision>;
}
