import type { AuditEntry, AuditHead } from '../values/audit.js';

/**
 * Makes the entry that follows the end of the trail. It has no other effect.
 *
 * The number of the entry is one more than that of the end. In a copy of a trail that has lost entries, it may be larger.
 */
export type EntryAfter = (end: AuditHead) => AuditEntry;

/**
 * Keeps the audit trail: entries that are added, never changed, and removed only from the beginning.
 *
 * For implementors: a write resolves only when it would survive a power cut. Other processes may append to the same
 * storage unless your own documentation excludes it, so decide and write in one transaction. The cost of `append` and
 * `latest` does not grow with the trail. Keep the number and the hash of the latest entry beside the entries, so that a
 * lost latest entry shows. Arguments are values of the domain. The store does not check whether a hash matches its
 * entry.
 */
export interface AuditStore {
  /**
   * Appends an entry if it follows the latest one. Resolves with whether it did. An entry follows if its number is one
   * more, and its `previous` is the hash of the latest entry. The first entry has the number 1, and its `previous` is
   * 64 zeros.
   */
  append(entry: AuditEntry): Promise<boolean>;
  /**
   * Appends an entry after the latest one, even if another process appended that. The entries of several calls at the
   * same time may be written together, in the order of the calls.
   *
   * For implementors: call `entryAfter` in the transaction that writes the entry. Or call it before, and compare the
   * end of the trail in the transaction. So no other entry gets its number.
   *
   * @param entryAfter Makes the entry after the end of the trail: number 0 and 64 zeros if there was none. It may be
   * called again, if the trail has another end or a transaction is repeated; the result of the last call counts. If it
   * throws, its entry is not appended, and this call rejects with the same value, even if that is not an error. The entries
   * of other calls are still appended.
   */
  appendNext(entryAfter: EntryAfter): Promise<void>;
  /**
   * Begins a trail with this entry, whatever its number and its `previous`, if there was never an entry. Resolves with
   * whether it did. It is for a copy of a trail whose beginning was removed. Entries of earlier calls come before it.
   */
  begin(entry: AuditEntry): Promise<boolean>;
  /** Number and hash of the last appended entry; `undefined` if there was none. */
  latest(): Promise<AuditHead | undefined>;
  /**
   * The entries after a number, ascending. A damaged entry is left out, so that a gap shows.
   *
   * @param limit Maximum number of results, at least 1. A page may have fewer; only a page at the end is empty.
   */
  read(after: number, limit: number): Promise<readonly AuditEntry[]>;
  /**
   * Removes the entries up to a number, included, but never the latest entry.
   *
   * @returns Number of removed entries.
   */
  removeThrough(number: number): Promise<number>;
}
