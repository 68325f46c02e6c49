import type { Lifecycle } from '../lifecycle.js';
import type { AuditEntry } from '../values/audit.js';

/**
 * Keeps the audit trail: entries that are added and never changed.
 *
 * For implementors: a write resolves only when it would survive a power cut. Other processes may append to the same
 * storage unless your own documentation excludes it, so decide and write in one transaction. The cost of `append` and
 * `latest` does not grow with the trail. Arguments are values of the domain; whether their hashes are right is not looked
 * at here.
 *
 * In addition to the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface AuditStore extends Lifecycle {
  /**
   * Appends an entry if its number follows that of the latest one, and says whether it did. The first entry has the
   * number 1. Of two with the same number, one is appended.
   */
  append(entry: AuditEntry): Promise<boolean>;
  /** The latest entry, `undefined` if there is none. */
  latest(): Promise<AuditEntry | undefined>;
  /**
   * The entries behind a number, ascending; none if it is that of the latest one. A damaged entry is left out, so that a
   * gap shows.
   *
   * @param limit At most so many, at least 1. There may be fewer; only at the end there are none.
   */
  read(after: number, limit: number): Promise<readonly AuditEntry[]>;
}
