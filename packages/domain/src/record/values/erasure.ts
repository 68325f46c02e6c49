import type { Entry } from '../../values/record/attendance-day.js';
import type { Timestamp } from '../../values/timestamp.js';

/** How long an erasure is remembered, in days: longer than a backup is likely to be kept, or a device to be offline. */
export const ERASURE_KEPT_DAYS = 400;

/**
 * The data that stays of an erased person: enough to refuse their data later, without the id of their tag.
 *
 * `digest` is the first half of HMAC-SHA-256 of the canonical id under `key`. Without the key, nobody can find the id. With
 * the key, somebody can try all ids, so the key is protected like the record.
 */
export interface Erasure {
  /**
   * 32 hexadecimal digits in lower case. Erasures that one store makes share the key, so that one digest finds an id.
   */
  readonly key: string;
  /** 32 hexadecimal digits in lower case. */
  readonly digest: string;
  /** Scans and names of the tag up to this moment are refused. */
  readonly until: Timestamp;
  /** Time at which the erasure itself is forgotten. */
  readonly expiresAt: Timestamp;
}

/**
 * How far an erasure has come: rows are still there (`begun`), only bytes of removed rows are still on the disk (`removed`),
 * or nothing is left (`done`).
 */
export type ErasureState = 'begun' | 'removed' | 'done';

/**
 * Whether data is from before the erasure of its tag, or may be.
 *
 * @param at The latest possible time of the data; `undefined` if unknown.
 * @param until `ErasureStore.refusedUntil` of the tag.
 */
export function isOfErased(at: Timestamp | undefined, until: Timestamp | undefined): boolean {
  return until !== undefined && (at === undefined || at <= until);
}

/**
 * The part of an entry that an erasure leaves: all of it, nothing, or only the last scan, if some scans are earlier and
 * some later.
 */
export function afterErasure(entry: Entry, until: Timestamp | undefined): Entry | undefined {
  if (until === undefined || entry.first > until) return entry;
  const { id, last } = entry;
  return last > until ? { id, first: last, last, count: 1 } : undefined;
}
