import type { Cursor } from '../record/journal.js';
import {
  STATION_REFUSED_MAX,
  STATION_RUNS_MAX,
  type KeyClaim,
  type RefusedNote,
  type StationKey,
  type StationNotes,
  type StationRecord,
} from './station-store.js';

/** How far a run of a station is acknowledged. */
export type StationRun = readonly [run: string, acknowledged: Cursor];

/** How far a run was acknowledged; 0 if nothing is known of it. */
export function acknowledgedOf(runs: readonly StationRun[], run: string): Cursor {
  return runs.find(([each]) => each === run)?.[1] ?? 0;
}

/** The run that was acknowledged last, and how far. */
export function latestRunOf(runs: readonly StationRun[]): Pick<StationRecord, 'run' | 'acknowledged'> {
  const [run, acknowledged] = runs.at(-1) ?? ['', 0];
  return { run, acknowledged };
}

/** The runs to keep after a run was acknowledged up to a cursor: this one at the end. Its cursor never goes back. */
export function withAcknowledged(
  runs: readonly StationRun[],
  run: string,
  through: Cursor,
): readonly StationRun[] {
  const its: StationRun = [run, Math.max(acknowledgedOf(runs, run), through)];
  return [...runs.filter(([each]) => each !== run), its].slice(-STATION_RUNS_MAX);
}

/** The refused items to keep after a run had more of them: the last note of each change, and of these the latest ones. */
export function withRefused(
  before: readonly RefusedNote[],
  run: string,
  { heardAt, refused }: Pick<StationNotes, 'heardAt' | 'refused'>,
): readonly RefusedNote[] {
  const latest = new Map<string, RefusedNote>();
  for (const note of [...before, ...refused.map((item): RefusedNote => ({ ...item, run, at: heardAt }))]) {
    const change = JSON.stringify([note.run, note.cursor]);
    // Deleted first, because a map leaves what it has in its place.
    latest.delete(change);
    latest.set(change, note);
  }
  return [...latest.values()].slice(-STATION_REFUSED_MAX);
}

/** The keys that are noted of a station when it brings some, and those of them that it may bring. */
export function withKeys(
  before: readonly StationKey[],
  keys: readonly string[],
  { heardAt, until, most }: Pick<KeyClaim, 'heardAt' | 'until' | 'most'>,
): { readonly noted: readonly StationKey[]; readonly granted: readonly string[] } {
  const noted = new Map(before.filter(([, ends]) => ends > heardAt));
  for (const key of keys) if (!noted.has(key) && noted.size < most) noted.set(key, until);
  return { noted: [...noted], granted: keys.filter((key) => noted.has(key)) };
}
