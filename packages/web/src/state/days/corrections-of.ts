import type { Correction } from '@tallybook/client';

/** Corrections of one tag on one day. */
export type CorrectionsOf = (day: number, ids: readonly string[]) => readonly Correction[];

/**
 * Corrections that affect the record: the latest one of each second, without rejected ones.
 *
 * @returns A function that finds them by day and tags, ordered by time.
 */
export function correctionsOf(all: readonly Correction[]): CorrectionsOf {
  const latest = new Map<string, Correction>();
  for (const correction of all) {
    const { day, id, at, state, number } = correction;
    const key = `${day} ${id} ${at} ${state === 'pending'}`;
    if (state !== 'rejected' && number >= (latest.get(key)?.number ?? 0)) latest.set(key, correction);
  }
  const byEntry = new Map<string, Correction[]>();
  for (const correction of latest.values()) {
    const key = `${correction.day} ${correction.id}`;
    byEntry.set(key, [...(byEntry.get(key) ?? []), correction]);
  }
  return (day, ids) =>
    ids.flatMap((id) => byEntry.get(`${day} ${id}`) ?? []).sort((one, other) => one.at - other.at);
}

/** A scan of a tag, and whether it counts. */
export interface KnownScan {
  readonly id: string;
  readonly at: number;
  readonly counts: boolean;
  /** Whether a correction of the scan waits for approval. */
  readonly isPending: boolean;
}

/** Every recorded or added scan, by time, with the effect of corrections. */
export function scansOf(
  taken: readonly { readonly id: string; readonly at: number }[],
  corrections: readonly Correction[],
): readonly KnownScan[] {
  const scans = new Map<string, KnownScan>();
  for (const { id, at } of taken) scans.set(`${id} ${at}`, { id, at, counts: true, isPending: false });
  for (const { id, at, action, state } of corrections) {
    const key = `${id} ${at}`;
    const before = scans.get(key) ?? { id, at, counts: false, isPending: false };
    if (state === 'approved') scans.set(key, { ...before, counts: action === 'add' });
    else if (state === 'pending') scans.set(key, { ...before, isPending: true });
  }
  return [...scans.values()].sort((one, other) => one.at - other.at);
}
