import type { Timestamp } from '../timestamp.js';
import type { Entry } from './attendance-day.js';

/** A scan whose second is known. */
export interface KnownScan {
  readonly at: Timestamp;
  /** Bits of later versions, 0 to 2^53 - 1. They are carried everywhere, and nothing reads them. */
  readonly flags: number;
}

/** An entry with its known scans. */
export interface DetailedEntry extends Entry {
  /**
   * Seconds of known scans, ascending, from `first` to `last`. Absent if only these two are known; they are always known, and
   * may be missing in the list.
   */
  readonly scans?: readonly Timestamp[];
  /** The flags of each of `scans`, see {@link KnownScan}; absent if all are 0. */
  readonly flags?: readonly number[];
}

/** Largest number of `scans` in a line of a backup, or in an element of a sync item. An entry with more takes several. */
export const ENTRY_SCANS_MAX = 256;

/** The known scans of an entry, ascending, with the first and the last. */
export function knownScans({ first, last, scans = [], flags }: DetailedEntry): readonly KnownScan[] {
  const known = scans.map((at, index) => ({ at, flags: flags?.[index] ?? 0 }));
  if (known[0]?.at !== first) known.unshift({ at: first, flags: 0 });
  if (known.at(-1)?.at !== last) known.push({ at: last, flags: 0 });
  return known;
}

/** @param known The known scans of the entry, ascending, with the first and the last. */
export function detailedEntry(entry: Entry, known: readonly KnownScan[]): DetailedEntry {
  const isFlagged = known.some(({ flags }) => flags !== 0);
  return known.length <= 2 && !isFlagged ? entry : withScans(entry, known);
}

/** An entry in parts of at most {@link ENTRY_SCANS_MAX} scans each. Merging all of them merges the entry. */
export function partsOf(entry: DetailedEntry): readonly DetailedEntry[] {
  if ((entry.scans?.length ?? 0) <= ENTRY_SCANS_MAX) return [entry];
  const { id, first, last, count } = entry;
  const known = knownScans(entry);
  const parts: DetailedEntry[] = [];
  for (let start = 0; start < known.length; start += ENTRY_SCANS_MAX)
    parts.push(withScans({ id, first, last, count }, known.slice(start, start + ENTRY_SCANS_MAX)));
  return parts;
}

/** The flags of scans of one tag in one second. */
export function joinFlags(one: number, other: number): number {
  // Operators on numbers would cut the flags to 32 bits.
  return one === 0 || other === 0 ? one + other : Number(BigInt(one) | BigInt(other));
}

function withScans(entry: Entry, known: readonly KnownScan[]): DetailedEntry {
  const flags = known.map((scan) => scan.flags);
  return { ...entry, scans: known.map(({ at }) => at), ...(flags.some((each) => each !== 0) && { flags }) };
}
