import type { Lifecycle } from '../lifecycle.js';
import type { AuditEntry, AuditHead } from '../values/audit.js';

/** Makes the entry that follows the end of the trail, and does nothing else. */
export type EntryAfter = (end: AuditHead) => AuditEntry;

/**
 * Keeps the audit trail: entries that are added, never changed, and removed only from the beginning.
 *
 * For implementors: a write resolves only when it would survive a power cut. Other processes may append to the same
 * storage unless your own documentation excludes it, so decide and write in one transaction. The cost of `append` and
 * `latest` does not grow with the trail. Keep the number and the hash of the latest entry beside the entries, so that it
 * shows if that one is lost. Arguments are values of the domain; whether a hash is that of its entry is not looked at
 * here.
 *
 * In addition to the codes of {@link Lifecycle}, operations reject with `STORE_READ_FAILED`, `STORE_WRITE_FAILED` and
 * `STORE_CORRUPT`; `open()` also with `STORE_LOCKED`, `STORE_UNAVAILABLE` and `STORE_FORMAT_UNSUPPORTED`.
 */
export interface AuditStore extends Lifecycle {
  /**
   * Appends an entry if it follows the latest one, and says whether it did: its number is one more, and its `previous` is
   * the hash of that one. The first entry has the number 1, and its `previous` is 64 zeros.
   */
  append(entry: AuditEntry): Promise<boolean>;
  /**
   * Appends the entry that follows the latest one, whoever has appended that. Entries that are handed over at the same time
   * may be written together, in the order of the calls.
   *
   * For implementors: ask for the entry in the transaction that writes it, or ask before and compare there, so nobody takes its
   * number meanwhile.
   *
   * @param entryAfter Makes the entry after the end of the trail: number 0 and 64 zeros if there was none. It may be called
   * again, when the trail ends elsewhere or a transaction is repeated; what it did last counts. If it throws, nothing is
   * appended, and this rejects with what it threw, whatever that is; what others hand over at the same time is appended.
   */
  appendNext(entryAfter: EntryAfter): Promise<void>;
  /**
   * Begins a trail that never had an entry with this one, whatever its number and its `previous`, and says whether it did:
   * for a copy of a trail whose beginning was removed. What was handed over before comes before it.
   */
  begin(entry: AuditEntry): Promise<boolean>;
  /** Number and hash of the latest entry that was appended; `undefined` if there was none. */
  latest(): Promise<AuditHead | undefined>;
  /**
   * The entries after a number, ascending. A damaged entry is left out, so that a gap shows.
   *
   * @param limit At most so many, at least 1. There may be fewer; only at the end there are none.
   */
  read(after: number, limit: number): Promise<readonly AuditEntry[]>;
  /**
   * Removes the entries up to a number, which is included, but never the latest one.
   *
   * @returns How many it removed.
   */
  removeThrough(number: number): Promise<number>;
}
