import type { Entry } from './attendance-day.js';
import type { Timestamp } from '../timestamp.js';

/**
 * The rest of an erased person: enough to refuse their data later, without the id of their tag.
 *
 * `digest` is the first half of HMAC-SHA-256 of the canonical id under `key`. Without the key it says nothing. Whoever has the key
 * can try all ids, as the service itself has to, so the key is protected like the record.
 */
export interface Erasure {
  /** 32 hexadecimal digits in lower case. Erasures of one store share it, so that an id is looked up with one digest. */
  readonly key: string;
  /** 32 hexadecimal digits in lower case. */
  readonly digest: string;
  /** Scans of the tag up to this moment are refused, and names from before it. */
  readonly until: Timestamp;
  /** When the erasure itself is forgotten. */
  readonly expiresAt: Timestamp;
}

/** How far an erasure has come: rows are still there (`begun`), only their bytes are (`removed`), or nothing is (`done`). */
export type ErasureState = 'begun' | 'removed' | 'done';

/**
 * Whether something is from before the erasure of its tag, or may be.
 *
 * @param at The latest possible time of it; `undefined` if nobody knows.
 * @param until `ErasureStore.refusedUntil` of the tag.
 */
export function isOfErased(at: Timestamp | undefined, until: Timestamp | undefined): boolean {
  return until !== undefined && (at === undefined || at <= until);
}

/** The part of an entry that an erasure leaves: all of it; nothing; or, if only some scans are later, the last one. */
export function afterErasure(entry: Entry, until: Timestamp | undefined): Entry | undefined {
  if (until === undefined || entry.first > until) return entry;
  const { id, last } = entry;
  return last > until ? { id, first: last, last, count: 1 } : undefined;
}
