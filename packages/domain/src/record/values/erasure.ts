import { knownScans, detailedEntry, type DetailedEntry } from '../../values/record/known-scans.js';
import type { Timestamp } from '../../values/timestamp.js';

/** How long an erasure is remembered, in days: longer than a backup is likely to be kept, or a device to be offline. */
export const ERASURE_KEPT_DAYS = 400;

/**
 * The data that stays of an erased person: enough to refuse their data later, without the id of their tag.
 *
 * `digest` is the first half of HMAC-SHA-256 of the canonical id under `key`. Without the key, nobody can find the id. With
 * the key, somebody can try all ids, so the key is protected like the record. A tag may have several erasures: under keys of
 * other sites, or from other times.
 */
export interface Erasure {
  /** 32 hexadecimal digits in lower case. All erasures that a site makes share the key, so that one digest finds an id. */
  readonly key: string;
  /** 32 hexadecimal digits in lower case. */
  readonly digest: string;
  /** Scans and names of the tag from this moment up to `until` are refused. */
  readonly from: Timestamp;
  readonly until: Timestamp;
  /** The tag had another holder after `until`: data of an unknown time may be theirs, and is not refused. */
  readonly isClosed?: true;
  /** Time at which the erasure itself is forgotten. */
  readonly expiresAt: Timestamp;
}

/** What distinguishes the erasures of a store. */
export type ErasureName = Pick<Erasure, 'key' | 'digest' | 'from'>;

/** An {@link ErasureName} as one text. */
export function nameOfErasure({ key, digest, from }: ErasureName): string {
  return `${key} ${digest} ${from}`;
}

/** An erasure without other fields. */
export function plainErasure({ key, digest, from, until, isClosed, expiresAt }: Erasure): Erasure {
  return { key, digest, from, until, ...(isClosed && { isClosed }), expiresAt };
}

/**
 * How far an erasure has come: rows are still there (`begun`), only bytes of removed rows are still on the disk (`removed`),
 * or nothing is left (`done`).
 */
export type ErasureState = 'begun' | 'removed' | 'done';

/**
 * The part of an entry that erasures leave: all of it if no known scan is refused, otherwise the other known scans.
 *
 * @param isRefused Whether data of this moment is refused.
 */
export function afterErasure(
  entry: DetailedEntry,
  isRefused: (at: Timestamp) => boolean,
): DetailedEntry | undefined {
  const known = knownScans(entry);
  const left = known.filter(({ at }) => !isRefused(at));
  if (left.length === known.length) return entry;
  const [first, last] = [left[0]?.at, left.at(-1)?.at];
  if (first === undefined || last === undefined) return undefined;
  return detailedEntry({ id: entry.id, first, last, count: left.length }, left);
}
